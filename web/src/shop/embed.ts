// Sells an event on the organiser's own website: every link of class taquilla becomes what is on sale, in the look of the page
// around it. It loads nothing but the JSON of the shop. Where that cannot be read, the link stays what it is.

interface Item {
  id: string;
  name: string;
  status: string;
  currency: string;
  unit_price: number;
  held_until: string | null;
  on_sale_from: string | null;
}

interface Sale {
  items: Item[];
}

const SPANISH = document.documentElement.lang.startsWith('es');
const WORDS = SPANISH
  ? { free: 'Gratis', gone: 'Agotado', held: 'Reservado por otros', later: 'Aún no está a la venta', buy: 'Comprar' }
  : { free: 'Free', gone: 'Sold out', held: 'Reserved by others', later: 'Not yet on sale', buy: 'Buy' };

function state(item: Item): string {
  if (item.status === 'sold_out') return WORDS.gone;
  if (item.on_sale_from !== null && Date.parse(item.on_sale_from) > Date.now()) return WORDS.later;
  if (item.held_until !== null) return WORDS.held;
  if (item.unit_price === 0) return WORDS.free;
  // Amounts are whole units of their currency.
  const shape = { style: 'currency', currency: item.currency, maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(SPANISH ? 'es' : 'en', shape).format(item.unit_price);
}

function part(name: 'ul' | 'li' | 'span' | 'div', kind: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
}

async function sell(link: HTMLAnchorElement): Promise<void> {
  const page = new URL(link.href);
  const [, , producer, event] = page.pathname.split('/');
  const query = new URLSearchParams();
  for (const carried of ['access_code', 'coupon']) {
    const value = page.searchParams.get(carried);
    if (value) query.set(carried, value);
  }
  const answer = await fetch(`${page.origin}/shop/v1/${producer}/events/${event}?${query}`, { credentials: 'omit' });
  if (!answer.ok) return;
  const { items } = (await answer.json()) as Sale;
  if (items.length === 0) return;
  const list = part('ul', 'taquilla-items');
  for (const item of items) {
    const line = part('li', 'taquilla-item');
    line.append(part('span', 'taquilla-name', item.name), ' ', part('span', 'taquilla-state', state(item)));
    list.append(line);
  }
  const sale = part('div', 'taquilla-sale');
  link.replaceWith(sale);
  link.className = 'taquilla-buy';
  link.textContent = `${WORDS.buy}: ${link.textContent}`;
  sale.append(list, link);
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a.taquilla')) {
  // A page whose website is not on the list keeps its link.
  sell(link).catch(() => undefined);
}
