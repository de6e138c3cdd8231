// Money as the pages write it. The server says how each currency is written in the page's language (`money_pattern`), so that
// the script has no table that could differ.

/** An amount, by the pattern of its currency: "€||,|4" writes "€1,250". */
export function money(pattern: string, amount: number): string {
  const [before = '', after = '', group = '', groupedFrom = '4'] = pattern.split('|');
  const digits = String(Math.abs(amount));
  const isGrouped = digits.length >= Number(groupedFrom);
  const number = isGrouped ? digits.replaceAll(/\B(?=(\d{3})+$)/g, group) : digits;
  return `${amount < 0 ? '-' : ''}${before}${number}${after}`;
}
