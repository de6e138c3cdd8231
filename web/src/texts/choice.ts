import { LANGUAGES, type Language } from './texts';

const CHOSEN = 'taquilla-door-language';

/** The language that the person chose here, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  return chosenLanguage() ?? ofTheBrowser() ?? 'en';
}

/** Counts from the next loading of the page on, so that no half of a screen speaks another language than the other. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(CHOSEN, language);
  } catch (error) {
    // A page that may keep nothing goes on in the browser's language.
    console.warn(error);
  }
}

function chosenLanguage(): Language | undefined {
  try {
    return known(localStorage.getItem(CHOSEN) ?? '');
  } catch {
    return undefined;
  }
}

function ofTheBrowser(): Language | undefined {
  for (const tag of navigator.languages ?? []) {
    const found = known(tag.slice(0, 2).toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

function known(name: string): Language | undefined {
  return Object.keys(LANGUAGES).includes(name) ? (name as Language) : undefined;
}
