// How a shown code is looked up. The server has the same rule, and tests/unit/spellings.json says what it makes of codes.

import { CODE_HASH_BYTES, ID_MAX_CHARACTERS } from './generated/contract';

/** The ticket ids that a code may stand for: itself, and in capitals, because people type codes as they please. */
export function spellingsOf(code: string): string[] {
  return canBeAnId(code) ? [...new Set([code, inCapitals(code)])] : [];
}

/** The same for every spelling of a code. Only ASCII letters have capitals here: those of others may be longer. */
export function inCapitals(code: string): string {
  return code.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The spellings of a code as they stand in the list of a link. */
export function hashesOf(code: string, salt: string): Promise<string[]> {
  return Promise.all(spellingsOf(code).map((spelling) => hashOf(spelling, salt)));
}

function canBeAnId(code: string): boolean {
  return code !== '' && [...code].length <= ID_MAX_CHARACTERS && !/\p{Control}/u.test(code);
}

async function hashOf(code: string, salt: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}:${code}`));
  const start = new Uint8Array(digest, 0, CODE_HASH_BYTES);
  return btoa(String.fromCharCode(...start)).replaceAll('+', '-').replaceAll('/', '_');
}
