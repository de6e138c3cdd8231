/** A value that the page shows: whoever listens hears it at once, and again whenever it is set. */
export class Signal<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  listen(listener: (value: T) => void): void {
    this.#listeners.add(listener);
    listener(this.#value);
  }
}
