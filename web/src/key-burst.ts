// A run of keys, one soon after the other, and whether a hand scanner typed it.
//
// A scanner may type anywhere, and the screen may change under it: an answer covers the field for codes, or goes away and
// gives it the focus back. So keys are collected wherever they go, and only the whole run is judged.

import { inCapitals } from './spelling';

/** A longer pause ends a run. Slow scanners, over Bluetooth, take up to 100 ms for a key. */
export const LONGEST_GAP_MS = 120;
/** Nobody types a whole run of keys faster than every 60 ms, and most scanners type every 1 to 35 ms. */
export const FASTER_THAN_PEOPLE_MS = 35;
/** Four keys with Enter or Tab are a code: the shortest that anybody uses. */
const SHORTEST_CODE = 4;
/** Without Enter or Tab it takes more to be sure. */
const SHORTEST_WITHOUT_END = 8;

/** So many letters and digits of a code in one run, without a pause: nobody types that, but slow scanners do. */
const LONGER_THAN_PEOPLE = 16;

/** Where a key goes: into the field for codes, a field of a sheet, another field, or none. */
export type Place = 'code' | 'sheet' | 'other' | 'page';

export interface Stroke {
  /** What it types on this device; `Dead` for an accent that waits for its letter. */
  key: string;
  /** What it types on a US keyboard; null if that is not known. */
  onUs: string | null;
  at: number;
  place: Place;
  /** The field it goes into. */
  field: { value: string } | null;
}

export interface HandScan {
  code: string;
  /** What the same keys type on a US keyboard, if that is another code. */
  onUs: string | null;
}

export class KeyBurst {
  readonly #strokes: Stroke[] = [];
  /** What stood in the fields before. */
  readonly #before = new Map<{ value: string }, string>();
  #slowest = 0;

  get isEmpty(): boolean {
    return this.#strokes.length === 0;
  }

  /** When the last key came. */
  get endedAt(): number {
    return this.#strokes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Whether the next key, at this time, belongs to it. */
  goesOnAt(time: number): boolean {
    return time - this.endedAt <= LONGEST_GAP_MS;
  }

  add(stroke: Stroke): void {
    if (!this.isEmpty) this.#slowest = Math.max(this.#slowest, stroke.at - this.endedAt);
    if (stroke.field !== null && !this.#before.has(stroke.field)) this.#before.set(stroke.field, stroke.field.value);
    this.#strokes.push(stroke);
  }

  /** Whether it is a code that this Enter or Tab ends. */
  isCodeEndedBy(end: Stroke): boolean {
    if (this.#strokes.length < SHORTEST_CODE) return false;
    const places = this.#places().add(end.place);
    // A link may be scanned into its field, and that field's form takes it.
    if (end.place === 'other') return false;
    // Nobody types on a button, and keys that go on while the screen changes under them belong together.
    if (this.#beganOnThePage || places.size > 1) return true;
    const isFast = Math.max(this.#slowest, end.at - this.endedAt) <= FASTER_THAN_PEOPLE_MS;
    if (end.place === 'sheet') return isFast;
    return (isFast || this.#isLongerThanPeople) && this.#isCertainInField();
  }

  /** Whether it is a code that nothing but silence ends. In a field, a person comes first. */
  isCodeInSilence(): boolean {
    if (this.#strokes.length < SHORTEST_WITHOUT_END || this.#strokes.at(-1)?.place === 'other') return false;
    if (this.#beganOnThePage) return true;
    const isFast = this.#slowest <= FASTER_THAN_PEOPLE_MS;
    if (!this.#isInFieldForCodes) return isFast || (this.#isLongerThanPeople && !this.#places().has('sheet'));
    // Behind something typed, this may be the person's own keyboard, which was slow for a moment.
    return (isFast || this.#isLongerThanPeople) && this.#typedInto() === '';
  }

  /** The code. What it left in fields is removed from them. */
  take(): HandScan {
    const code = this.#asTyped().trim();
    for (const [field, before] of this.#before) restore(field, before);
    const keys = this.#strokes.map(({ onUs }) => onUs);
    const onUs = keys.includes(null) ? code : keys.join('').trim();
    return { code, onUs: inCapitals(onUs) === inCapitals(code) ? null : onUs };
  }

  get #beganOnThePage(): boolean {
    return this.#strokes[0]?.place === 'page';
  }

  get #isLongerThanPeople(): boolean {
    return this.#strokes.length >= LONGER_THAN_PEOPLE;
  }

  get #isInFieldForCodes(): boolean {
    return this.#strokes.every(({ place }) => place === 'code');
  }

  #places(): Set<Place> {
    return new Set(this.#strokes.map(({ place }) => place));
  }

  /** What stood in the only field before; null where the keys did not simply follow it. */
  #typedInto(): string | null {
    const field = this.#strokes[0]?.field ?? null;
    const before = field === null ? undefined : this.#before.get(field);
    return before !== undefined && field?.value.startsWith(before) === true ? before : null;
  }

  /** Enter in a field does what its form does with it, unless it is certain that it is a scanner's. */
  #isCertainInField(): boolean {
    const before = this.#typedInto();
    return before === '' || (before !== null && this.#strokes.length >= SHORTEST_WITHOUT_END);
  }

  #asTyped(): string {
    const field = this.#strokes[0]?.field ?? null;
    const before = this.#typedInto();
    // The field has put accents and letters together.
    if (this.#isInFieldForCodes && field !== null && before !== null) return field.value.slice(before.length);
    return this.#strokes.map(({ key }) => (key === 'Dead' ? '' : key)).join('');
  }
}

function restore(field: { value: string }, before: string): void {
  if (field.value === before) return;
  field.value = before;
  // In a list of choices, letters choose.
  if (field instanceof EventTarget) field.dispatchEvent(new Event('change', { bubbles: true }));
}
