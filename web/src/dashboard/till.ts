// The running total of a sale at the box office, and the change to hand back, while it is typed. Without this script a button
// of the form shows the total.

import { money } from './money';

export function showTotals(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-till]');
  const sum = form?.querySelector<HTMLElement>('[data-till-sum]');
  const back = form?.querySelector<HTMLElement>('[data-till-back]');
  if (!form || !sum || !back) return;
  const update = (event?: Event) => {
    // What a coupon takes off is known to the server alone, which has said it unless something was typed since.
    const coupon = form.querySelector<HTMLInputElement>('[data-till-coupon]');
    const isAsked = (coupon?.value.trim() ?? '') !== '';
    for (const button of form.querySelectorAll<HTMLElement>('[data-till-ask]')) button.hidden = !isAsked;
    if (isAsked) {
      if (event?.type === 'input') sum.hidden = back.hidden = true;
      return;
    }
    const totals = totalsOf(form);
    sum.hidden = false;
    write(sum.querySelector('output'), shown(totals));
    showBack(form, back, totals);
  };
  form.addEventListener('input', update);
  // The browser may bring the page back with what was typed.
  addEventListener('pageshow', update);
  update();
}

/** Amounts by currency, each with the pattern that writes it. */
type Totals = Map<string, { amount: number; pattern: string }>;

/** What is typed costs, by currency. */
function totalsOf(form: HTMLFormElement): Totals {
  const isFree = isChosen(form, 'free', 'yes');
  const items = [...form.querySelectorAll<HTMLInputElement>('input[data-price]')];
  const totals: Totals = new Map();
  for (const item of items) {
    const quantity = whole(item.value) ?? 0;
    const { price = '0', currency = '', money: pattern = '' } = item.dataset;
    const amount = (totals.get(currency)?.amount ?? 0) + (isFree ? 0 : quantity * Number(price));
    if (quantity > 0) totals.set(currency, { amount, pattern });
  }
  const { currency: first, money: pattern = '' } = items[0]?.dataset ?? {};
  if (totals.size === 0 && first !== undefined) totals.set(first, { amount: 0, pattern });
  return totals;
}

function showBack(form: HTMLFormElement, back: HTMLElement, totals: Totals): void {
  const typed = form.elements.namedItem('given');
  const given = typed instanceof HTMLInputElement ? whole(typed.value) : undefined;
  const [only, ...others] = totals.values();
  const isCash = isChosen(form, 'method', 'cash') && isChosen(form, 'pay', 'now') && !isChosen(form, 'free', 'yes');
  back.hidden = given === undefined || only === undefined || others.length > 0 || !isCash;
  if (given === undefined || only === undefined || back.hidden) return;
  const difference = given - only.amount;
  write(back.querySelector('span'), (difference < 0 ? back.dataset.missing : back.dataset.change) ?? '');
  write(back.querySelector('output'), money(only.pattern, Math.abs(difference)));
}

function isChosen(form: HTMLFormElement, name: string, value: string): boolean {
  return form.querySelector(`input[name="${name}"][value="${value}"]:checked`) !== null;
}

function whole(text: string): number | undefined {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : undefined;
}

function shown(totals: Totals): string {
  return [...totals.values()].map(({ amount, pattern }) => money(pattern, amount)).join(' + ');
}

/** Words that stay the same are not written again, so that they are not read out again. */
function write(place: Element | null, words: string): void {
  if (place && place.textContent !== words) place.textContent = words;
}
