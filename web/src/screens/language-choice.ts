import { part } from '../page-parts';
import { chooseLanguage } from '../texts/choice';
import { language, LANGUAGES, type Language } from '../texts/texts';

export function offerLanguages(): void {
  const field = part('language', HTMLSelectElement);
  for (const [name, { name: ownName }] of Object.entries(LANGUAGES)) {
    const option = new Option(ownName, name, false, name === language());
    option.lang = name;
    field.add(option);
  }
  field.addEventListener('change', () => {
    chooseLanguage(field.value as Language);
    location.reload();
  });
}
