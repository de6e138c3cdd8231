import { Answering } from '../answering';
import { goInside } from '../back';
import { Camera, type CameraProblem } from '../camera';
import { needsReload } from '../database';
import type { Guest } from '../contract';
import type { Door } from '../door';
import { listenToHandScanner } from '../hand-scanner';
import { Refused, Unreachable } from '../http';
import type { HandScan } from '../key-burst';
import { keepKiosk } from '../kiosk';
import { eventNames, eventsOf } from '../link-events';
import { part, show, write } from '../page-parts';
import type { Decided } from '../readings';
import { pastScan, type ScanHistory } from '../scan-history';
import { openSheet, raise } from '../sheets';
import { Showings } from '../showings';
import type { Signal } from '../signal';
import { numberWords, texts } from '../texts/texts';
import type { Unfinished } from '../unfinished';
import { verdictOf, type Verdict } from '../verdict';
import { insideWords } from '../verdict-words';
import { mayFallAsleep, stayAwake } from '../wake-lock';
import { PartySheet } from './party-sheet';
import { showReadiness } from './readiness-sign';
import { ResultScreen } from './result-screen';
import { stationField, stationIn } from './station-field';

/** What this phone needs to work without a signal, besides a list. */
interface Readiness {
  storageWorks: Signal<boolean>;
  isPageKept: Signal<boolean>;
}

// A quick answer needs no "please wait".
const SAY_CHECKING_AFTER_MS = 250;

/** Where the work is done: camera, typed codes and hand scanners all end in one answer at a time. */
export class ScanningScreen {
  readonly #camera: Camera;
  #showings = new Showings();
  readonly #result = new ResultScreen(
    {
      timezone: () => this.#door?.link.opening.event.timezone ?? 'UTC',
      isKiosk: () => this.#isKiosk,
      hasSeveralEvents: () => this.#door !== null && eventsOf(this.#door.link.opening).length > 1,
    },
    (code, { outcome }) => {
      if (outcome === 'failed') this.#showings.forget(code);
    },
    {
      isOffered: (verdict) => this.#door?.offersParty(verdict) ?? false,
      open: (verdict) => this.#partySheet.open(verdict.scanId),
    },
  );
  readonly #partySheet = new PartySheet({
    find: async (scanId) => (await this.#door?.findParty(scanId)) ?? { data: [], has_more: false },
    letIn: (guest) => this.#enter(guest),
  });
  readonly #answering = new Answering(this.#result, (code, onUs) => this.#answer({ code, onUs }));
  readonly #onEnd: (reason: unknown) => void;
  readonly #history: ScanHistory;
  readonly #readiness: Readiness;
  #door: Door | null = null;
  #working = false;
  /** Guests scan by themselves: there is nothing for staff on the screen, and no way out but that of staff. */
  #isKiosk = false;
  #hasPicture = true;

  /** `onEnd` hears why no more can be scanned: the link was refused, or the page has lost its database. */
  constructor(unfinished: Unfinished, history: ScanHistory, readiness: Readiness, onEnd: (reason: unknown) => void) {
    this.#history = history;
    this.#readiness = readiness;
    this.#onEnd = onEnd;
    for (const signal of [readiness.storageWorks, readiness.isPageKept]) {
      signal.listen(() => {
        if (this.#door !== null) this.#showNetwork(this.#door);
      });
    }
    unfinished.waiting.listen((waiting) => {
      part('waiting').textContent = String(waiting);
      part('open-waiting').hidden = waiting === 0;
    });
    this.#camera = new Camera(
      part('camera', HTMLVideoElement),
      part('viewfinder'),
      (codes) => this.#inView(codes),
      (problem) => this.#showCamera(problem),
    );
    listenToHandScanner((scan) => this.#scanned(scan));
    this.#listenToControls();
    document.addEventListener('keydown', (event) => this.#closeResultBy(event));
    document.addEventListener('visibilitychange', () => {
      if (!this.#working || document.hidden) return;
      this.#showings = new Showings();
      void stayAwake();
      void this.#camera.resume();
    });
  }

  /** Shows what this door has to tell, whether or not scanning has begun. */
  follow(door: Door): void {
    this.#door = door;
    // What was decided at another door may be shown here at once.
    this.#showings = new Showings();
    door.connection.online.listen(() => this.#showNetwork(door));
    door.list.listen(() => this.#showNetwork(door));
    door.counts.listen(({ entered, to_come, entered_here, inside }) => {
      if (door !== this.#door) return;
      // Written only when it changes: a screen reader says it each time.
      const full = insideWords(inside ?? []);
      if (part('inside-warning').textContent !== full) write('inside-warning', full);
      part('entered').textContent = numberWords(entered);
      part('to-come').textContent = numberWords(to_come);
      part('entered-here').textContent = numberWords(entered_here ?? 0);
      part('here').hidden = entered_here === undefined || entered_here === null;
      part('progress-bar').style.width = `${(100 * entered) / Math.max(1, entered + to_come)}%`;
    });
  }

  start(door: Door): void {
    this.#working = true;
    this.#isKiosk = door.may('kiosk');
    part('scanning').dataset.kiosk = String(this.#isKiosk);
    keepKiosk(this.#isKiosk ? door.link.opening.link.id : null);
    this.#answering.begin();
    // Nobody has looked meanwhile, so what is in view is shown anew.
    this.#showings = new Showings();
    write('scanning-event', eventNames(door.link.opening));
    write('station-name', door.link.station);
    part('open-guests').hidden = !door.may('by_name');
    write('way-out', door.may('out') ? texts().scanning.wayOut : '');
    goInside();
    show('scanning');
    void stayAwake();
    this.#sayChecking(false);
    void this.#camera.start(this.#isKiosk ? 'user' : 'environment');
  }

  /** Staff end the scanning of guests by themselves. */
  leaveKiosk(): void {
    keepKiosk(null);
    this.stop();
    show('start-screen');
  }

  /** The person goes back one step; says whether there is another to go from here. */
  goOut(): boolean {
    if (!this.#working) return false;
    if (this.#result.isShown) {
      this.#result.tapAway();
      return true;
    }
    if (this.#isKiosk) return true;
    // Whoever left now would not see what becomes of a ticket that is being decided.
    if (this.#answering.isBusy) return true;
    this.stop();
    show('start-screen');
    return false;
  }

  /** Whether an answer is on the screen, or waited for. */
  get hasAnswers(): boolean {
    return this.#result.isShown || this.#answering.isBusy;
  }

  get isWorking(): boolean {
    return this.#working;
  }

  /** Takes no more codes, and waits until those in hand are answered and their answers have been seen. */
  finish(): Promise<void> {
    return this.#answering.finish();
  }

  stop(): void {
    this.#working = false;
    this.#camera.stop();
    this.#answering.stop();
    this.#result.close();
    void mayFallAsleep();
  }

  /** The camera sees a code again later, so it need not wait: it is taken once there is room for its answer. */
  #inView(codes: string[]): void {
    const isFree = this.#answering.isFree && openSheet() === null;
    const code = this.#showings.look(codes, isFree);
    this.#saySeveral(this.#showings.areSeveral);
    if (code !== null) this.#answering.take(code);
  }

  /** A hand scanner reads a code once, so that one waits for its turn. */
  #scanned({ code, onUs }: HandScan): void {
    if (!this.#working || code === '') return;
    openSheet()?.close();
    if (this.#showings.scan(code)) this.#answering.take(code, onUs);
  }

  /** Somebody without a code, whom the person at the door has found by name. */
  letIn(guest: Guest): void {
    if (!this.#working) return;
    this.#answering.takeFor(guest.handle, () => this.#enter(guest));
  }

  async #enter(guest: Guest): Promise<Verdict | null> {
    const door = this.#door;
    if (door === null) return null;
    let verdict: Verdict;
    try {
      verdict = await door.enter(guest);
    } catch (error) {
      if (error instanceof Refused && error.isAboutTheLink) {
        if (this.#worksAt(door)) this.#onEnd(error);
        return null;
      }
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      const advice = error instanceof Refused ? error.message : texts().guests.needsSignal;
      return verdictOf({ outcome: 'failed', advice });
    }
    this.#history.add(pastScan(door.link, '', verdict)).catch(console.warn);
    return verdict;
  }

  async #answer(scan: HandScan): Promise<Verdict | null> {
    const door = this.#door;
    if (door === null) return null;
    const checking = window.setTimeout(() => this.#sayChecking(true), SAY_CHECKING_AFTER_MS);
    const decided = await this.#decide(door, scan);
    window.clearTimeout(checking);
    this.#sayChecking(false);
    if (decided === null || decided.verdict.outcome === 'not_now') return null;
    this.#history.add(pastScan(door.link, decided.code, decided.verdict)).catch(console.warn);
    return decided.verdict;
  }

  /** Null where the work at this door is over. */
  async #decide(door: Door, scan: HandScan): Promise<Decided | null> {
    try {
      return await door.decideReadings(scan);
    } catch (error) {
      if (error instanceof Refused || needsReload(error)) {
        if (this.#worksAt(door)) this.#onEnd(error);
        return null;
      }
      console.error(error);
      const { notWritten, onlineOnly } = texts().verdict;
      const advice = this.#readiness.storageWorks.value ? notWritten : onlineOnly;
      return { code: scan.code, verdict: verdictOf({ outcome: 'failed', advice }) };
    }
  }

  /** On the button too, since the hint is only there with a camera. */
  #sayChecking(isChecking: boolean): void {
    const { checking, hint, check } = texts().scanning;
    const { call, callScanner } = texts().kiosk;
    const ready = !this.#isKiosk ? hint : this.#hasPicture ? call : callScanner;
    part('hint').textContent = isChecking ? checking : ready;
    part('check').textContent = isChecking ? checking : check;
  }

  #saySeveral(areSeveral: boolean): void {
    const words = areSeveral ? texts().scanning.several : '';
    // Written only when it changes: a screen reader says it each time.
    if (part('several').textContent !== words) part('several').textContent = words;
    part('viewfinder').dataset.several = String(areSeveral);
  }

  /** Somebody may open another link while an answer is on its way. */
  #worksAt(door: Door): boolean {
    return this.#working && door === this.#door;
  }

  #listenToControls(): void {
    const field = part('code', HTMLInputElement);
    part('code-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      const code = field.value.trim();
      field.value = '';
      if (code === '') return;
      // On a phone the keyboard would cover half of the answer.
      if (matchMedia('(pointer: coarse)').matches) field.blur();
      this.#answering.take(code);
    });
    part('torch').addEventListener('click', () => void this.#camera.toggleTorch());
    part('switch-camera').addEventListener('click', () => void this.#camera.switch());
    part('camera-retry').addEventListener('click', () => void this.#camera.start());
    part('change-station').addEventListener('click', () => this.#askForStation());
  }

  #askForStation(): void {
    const door = this.#door;
    if (door === null) return;
    const sheet = part('station-sheet', HTMLDialogElement);
    const field = stationField('station-now', door.link);
    part('station-now-slot').replaceChildren(field);
    part('station-form', HTMLFormElement).onsubmit = (event) => {
      event.preventDefault();
      const station = stationIn(field, door.link);
      void door.chooseStation(station);
      write('station-name', station);
      sheet.close();
    };
    raise(sheet);
  }

  #closeResultBy(event: KeyboardEvent): void {
    if (!this.#result.isShown || openSheet() !== null) return;
    // On the button beside it, Enter means that button.
    if (event.key === 'Enter' && event.target === part('result-party')) return;
    // Enter in a field with something in it is the next code.
    const next = event.target instanceof HTMLInputElement && event.target.value.trim() !== '';
    if (event.key !== 'Escape' && (event.key !== 'Enter' || next)) return;
    event.preventDefault();
    this.#result.tapAway();
  }

  #showNetwork(door: Door): void {
    if (door !== this.#door) return;
    const { scanning, start } = texts();
    const online = door.connection.online.value;
    const network = part('network');
    network.dataset.state = online ? 'online' : 'offline';
    write('network-state', online ? scanning.online : scanning.offline);
    write('network-status', online ? scanning.online : scanning.offline);
    const storageWorks = this.#readiness.storageWorks.value;
    write('start-state', online ? '' : storageWorks ? start.noSignal : start.noSignalOnlineOnly);
    const isPageKept = this.#readiness.isPageKept.value;
    const readiness = showReadiness({ list: door.list.value, storageWorks, isPageKept }, door.counts.value, door.link.opening.event.timezone);
    // With a signal too, where it works with one only. A complete list is told by the sign beside it.
    write('offline-note', storageWorks && (online || door.list.value.completedAt !== null) ? '' : readiness);
  }

  #showCamera(problem: CameraProblem | null): void {
    this.#saySeveral(false);
    this.#hasPicture = problem === null;
    part('viewfinder').hidden = problem !== null;
    // Guests are not told what is wrong with a camera: there is a hand scanner, or staff.
    part('hint').hidden = problem !== null && !this.#isKiosk;
    if (this.#isKiosk) this.#sayChecking(false);
    part('camera-problem').hidden = problem === null;
    if (problem !== null) {
      write('camera-problem-title', texts().camera[problem].title);
      write('camera-problem-advice', texts().camera[problem].advice);
    }
    part('camera-retry').hidden = problem === 'insecure' || problem === 'none';
    const torch = part('torch');
    torch.hidden = problem !== null || !this.#camera.canLight;
    torch.setAttribute('aria-pressed', String(this.#camera.isLit));
    part('switch-camera').hidden = !this.#camera.canSwitch;
  }
}
