import { shortDay, type Formatter } from '../short-day';

/** What a reader did is told by the clocks of their browser; without a script by those that the server knows. */
export function tellByOwnClocks(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { lang } = document.documentElement;
  const format: Formatter = (options) => new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, options);
  for (const part of document.querySelectorAll<HTMLElement>('[data-own-clocks]')) {
    for (const time of part.querySelectorAll('time')) {
      const at = new Date(time.dateTime);
      const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
      time.textContent = `${shortDay(at, new Date(), format)}, ${clock}`;
    }
    for (const said of part.querySelectorAll<HTMLElement>('[data-times-in]')) {
      said.textContent = (said.dataset.timesIn ?? '').replace('{zone}', timeZone);
    }
  }
}
