import { language, texts } from './texts';

// Where in an element a text goes, by the name of the attribute that names the text: data-text="pin.title".
const PLACES: Record<string, (element: HTMLElement, text: string) => void> = {
  text: (element, text) => (element.textContent = text),
  label: (element, text) => element.setAttribute('aria-label', text),
  placeholder: (element, text) => element.setAttribute('placeholder', text),
};

/** Writes the fixed words of the page, which index.html only names. */
export function fillPage(): void {
  document.documentElement.lang = language();
  for (const [place, write] of Object.entries(PLACES)) {
    for (const element of document.querySelectorAll<HTMLElement>(`[data-${place}]`)) {
      write(element, textAt(element.dataset[place] ?? ''));
    }
  }
}

function textAt(path: string): string {
  let found: unknown = texts();
  for (const step of path.split('.')) found = (found as Record<string, unknown>)[step];
  if (typeof found !== 'string') throw new Error(`There is no text ${path}`);
  return found;
}
