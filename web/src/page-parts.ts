/** The part of the page with this id, of the kind that is expected. */
export function part<E extends Element = HTMLElement>(id: string, kind?: new () => E): E {
  const found = document.getElementById(id);
  if (found === null || !(found instanceof (kind ?? HTMLElement))) throw new Error(`The page has no part #${id}`);
  return found as unknown as E;
}

/** Writes text in a part, and hides the part while there is none. */
export function write(id: string, text: string): void {
  const element = part(id);
  element.textContent = text;
  element.hidden = text === '';
}

/** A line of an item in a list; one without text is not shown. */
export function line(tag: 'h3' | 'p' | 'span', text: string, className = ''): HTMLElement {
  const element = document.createElement(tag);
  Object.assign(element, { textContent: text, className, hidden: text === '', dir: 'auto' });
  return element;
}

/** Writes what staff want the door to know in a list, and hides it while there is nothing. */
export function showNotes(id: string, notes: string[]): void {
  const items = notes.map((note) => {
    const item = document.createElement('li');
    Object.assign(item, { textContent: note, dir: 'auto' });
    return item;
  });
  part(id).replaceChildren(...items);
  part(id).hidden = items.length === 0;
}

export type ScreenName = 'loading' | 'welcome' | 'trouble' | 'pin-screen' | 'start-screen' | 'scanning' | 'refused';

/** One screen at a time. Its heading gets the focus, so that a screen reader begins there. */
export function show(name: ScreenName): void {
  for (const screen of document.querySelectorAll<HTMLElement>('[data-screen]')) {
    screen.hidden = screen.id !== name;
  }
  part(name).querySelector<HTMLElement>('h1')?.focus();
}
