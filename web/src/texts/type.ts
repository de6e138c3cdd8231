import type { en } from './en';

/** What every language says: the words of the page in English, with the shapes of those that depend on something. */
export type Texts = typeof en;
