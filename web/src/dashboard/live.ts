// A part of a page that follows what happens: data-live is the address of its stream, data-poll that of its present state.
// Where the stream does not come through, the state is asked for again and again, and the stream tried from time to time.

import { announce } from './announce';
import { drawCharts } from './chart';
import { morph } from './morph';

const POLL_MS = 5_000;
/** How often a stream may break without having brought anything. */
const BREAKS = 3;
const STREAM_AGAIN_MS = 30_000;
const SAID_EVERY_MS = 30_000;

type State = 'live' | 'polling' | 'lost';

export function followLive(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) new Live(part).start();
}

class Live {
  readonly #part: HTMLElement;
  readonly #sign = document.querySelector<HTMLElement>('[data-live-state]');
  #stream: EventSource | null = null;
  #breaks = 0;
  #polling: ReturnType<typeof setTimeout> | undefined;
  #streamAgain: ReturnType<typeof setTimeout> | undefined;
  #saidAt = Date.now();
  #said = '';

  constructor(part: HTMLElement) {
    this.#part = part;
    this.#said = this.#words();
  }

  start(): void {
    // A page that nobody sees keeps no connection: a browser has few of them for all its windows.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#stop() : this.#open()));
    window.addEventListener('pagehide', () => this.#stop());
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) this.#open();
    });
    if (!document.hidden) this.#open();
  }

  #stop(): void {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#polling);
    clearTimeout(this.#streamAgain);
  }

  #open(): void {
    this.#stop();
    const stream = new EventSource(this.#part.dataset.live ?? '');
    this.#stream = stream;
    stream.addEventListener('open', () => this.#show('live'));
    stream.addEventListener('figures', ({ data }: MessageEvent<string>) => {
      this.#breaks = 0;
      this.#show('live');
      this.#put(data);
    });
    stream.addEventListener('error', () => {
      this.#breaks += 1;
      // The browser opens a broken stream again by itself, but gives up one that was refused.
      if (stream.readyState !== EventSource.CLOSED && this.#breaks < BREAKS) return this.#show('lost');
      this.#stop();
      void this.#poll();
      this.#streamAgain = setTimeout(() => this.#open(), STREAM_AGAIN_MS);
    });
  }

  async #poll(): Promise<void> {
    try {
      const answer = await fetch(this.#part.dataset.poll ?? '', { headers: { accept: 'text/html' } });
      // Signed out, or without the right: the page itself says so.
      if (answer.redirected || [401, 403, 404].includes(answer.status)) return location.reload();
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      this.#put(await answer.text());
      this.#show('polling');
    } catch {
      this.#show('lost');
    }
    // Meanwhile the page may have been left, or a stream opened.
    if (this.#stream === null && !document.hidden) this.#polling = setTimeout(() => void this.#poll(), POLL_MS);
  }

  #put(html: string): void {
    const fresh = document.createElement('template');
    fresh.innerHTML = html.trim();
    const old = this.#part.firstElementChild;
    const wanted = fresh.content.firstElementChild;
    if (!old || !wanted) return;
    morph(old, wanted);
    drawCharts(this.#part);
    this.#say();
  }

  /** Who listens hears the totals, seldom enough to hear something else too. */
  #say(): void {
    const words = this.#words();
    if (words === this.#said || Date.now() - this.#saidAt < SAID_EVERY_MS) return;
    this.#said = words;
    this.#saidAt = Date.now();
    announce(words);
  }

  #words(): string {
    return this.#part.querySelector<HTMLElement>('[data-said]')?.dataset.said ?? '';
  }

  #show(state: State): void {
    if (!this.#sign) return;
    this.#sign.hidden = false;
    this.#sign.dataset.state = state;
    const words = { live: this.#sign.dataset.wordsLive, polling: this.#sign.dataset.wordsPolling, lost: this.#sign.dataset.wordsLost };
    this.#sign.textContent = words[state] ?? '';
  }
}
