// Days as the server writes them (crates/pages/src/formats): without the comma that some languages would have.

/** Makes a formatter for the language and the clocks that are wanted. */
export type Formatter = (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;

/** "Sat 14 Nov", or "Sat 14 Nov 2027" in another year than `now`. */
export function shortDay(date: Date, now: Date, format: Formatter): string {
  const parts = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).formatToParts(date);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const words = `${part('weekday')} ${part('day')} ${part('month')}`;
  return part('year') === format({ year: 'numeric' }).format(now) ? words : `${words} ${part('year')}`;
}
