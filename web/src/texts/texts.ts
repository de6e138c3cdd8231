import * as languages from './languages';
import type { Texts } from './type';

export const LANGUAGES = { ...languages } satisfies Record<string, Texts>;
export type Language = keyof typeof LANGUAGES;

let current: Language = 'en';

export function speak(language: Language): void {
  current = language;
}

export function language(): Language {
  return current;
}

export function texts(): Texts {
  return LANGUAGES[current];
}

/** "12,431", as people in that language write it. */
export function numberWords(count: number): string {
  return count.toLocaleString(texts().locale);
}

/** "1 scan", "12 scans". */
export function scanWords(count: number): string {
  return texts().scans(numberWords(count), count === 1);
}
