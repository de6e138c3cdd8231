import { part } from '../page-parts';
import { chooseLanguage } from '../texts/choice';
import { language, LANGUAGES, type Language } from '../texts/texts';

/** A choice of languages in a sheet, which counts when the sheet is closed. */
export function offerLanguages(sheet: HTMLDialogElement, mayReload: () => boolean): void {
  const field = part('language', HTMLSelectElement);
  for (const [name, { name: ownName }] of Object.entries(LANGUAGES)) {
    const option = new Option(ownName, name, false, name === language());
    option.lang = name;
    field.add(option);
  }
  // Not at once: a hand scanner that types into the field is taken out of it again, and must not reload the page.
  sheet.addEventListener('close', () => {
    if (field.value === language()) return;
    chooseLanguage(field.value as Language);
    // An answer that closed the sheet, or waits, must be seen. The language then comes with the next loading.
    if (mayReload()) location.reload();
  });
}
