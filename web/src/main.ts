import { prepareReader } from './code-reader';
import { needsReload, openDatabase, type DoorDatabase, type KeptLink } from './database';
import { Door } from './door';
import { openLink } from './door-api';
import { offerAsApp, showInAddress, STARTED_FROM_HOME_SCREEN } from './address';
import { listenToBack } from './back';
import { giveVoiceByTouch } from './feedback';
import { Refused, Unreachable } from './http';
import { KeptPage } from './kept-page';
import { isKeptKiosk } from './kiosk';
import { anotherThatWorks, currentToken, forgetSpentLinks, keepLink, makeCurrent, openedLink, tokenIn } from './links';
import { show } from './page-parts';
import { PatientDatabase } from './patient-database';
import { ScanHistory } from './scan-history';
import { AskingSheet } from './screens/asking-sheet';
import { ConflictSheet } from './screens/conflict-sheet';
import { DoorSheet } from './screens/door-sheet';
import { offerToGoOn } from './screens/go-on';
import { GuestSheet } from './screens/guest-sheet';
import { HistorySheet } from './screens/history-sheet';
import { KioskSheet } from './screens/kiosk-sheet';
import { showPinScreen } from './screens/pin-screen';
import { showRefusedScreen } from './screens/refused-screen';
import { ScanningScreen } from './screens/scanning-screen';
import { fillStartScreen, showStartScreen } from './screens/start-screen';
import { showTroubleScreen } from './screens/trouble-screen';
import { WaitingSheet } from './screens/waiting-sheet';
import { showWelcomeScreen } from './screens/welcome-screen';
import { listenToCloseButtons, openSheet } from './sheets';
import type { Signal } from './signal';
import { preferredLanguage } from './texts/choice';
import { fillPage } from './texts/fill-page';
import { numberWords, speak, texts } from './texts/texts';
import { Unfinished } from './unfinished';

/** The way from a link to a door at work. */
class DoorPage {
  readonly #storage: PatientDatabase;
  readonly #database: DoorDatabase;
  readonly #unfinished: Unfinished;
  readonly #scanning: ScanningScreen;
  readonly #asking = new AskingSheet();
  #token = '';
  #door: Door | null = null;
  /** How many links were opened: whoever waited for something knows by it whether somebody has gone elsewhere since. */
  #openings = 0;

  constructor(storage: PatientDatabase, isPageKept: Signal<boolean>) {
    const { database } = storage;
    this.#storage = storage;
    this.#database = database;
    this.#unfinished = new Unfinished(database);
    const history = new ScanHistory(database);
    history.load().catch(console.warn);
    const readiness = { storageWorks: storage.works, isPageKept };
    this.#scanning = new ScanningScreen(this.#unfinished, history, readiness, (reason) => this.#end(reason));
    new HistorySheet(history, () => this.#door);
    new GuestSheet(() => this.#door, (guest) => this.#scanning.letIn(guest));
    new DoorSheet(database, {
      current: () => this.#token,
      open: (token) => void this.run(this.open(token)),
      openAnother: () => void this.run(this.#openAnother()),
      mayReload: () => !this.#scanning.hasAnswers,
      isPageKept: () => isPageKept.value,
    });
    new KioskSheet({
      hasPin: () => this.#door?.link.opening.link.has_pin ?? false,
      tryPin: (pin) => this.#showsPin(pin),
      leave: () => this.#scanning.leaveKiosk(),
    });
    listenToBack(() => this.#goOut());
    new ConflictSheet(this.#unfinished);
    new WaitingSheet(database, this.#unfinished, () => this.#token);
  }

  /** Nobody scans, looks at an answer or types: the page may be loaded anew. */
  get isQuiet(): boolean {
    const { activeElement } = document;
    const isTyping = activeElement instanceof HTMLInputElement && activeElement.value !== '';
    const isAtWork = this.#scanning.isWorking && !document.hidden;
    const waits = this.#scanning.hasAnswers || (this.#door?.hasUndecided ?? false);
    // A link that waits for its PIN or for a signal is nowhere but here.
    const isArriving = this.#token !== '' && this.#door === null;
    return !isTyping && !isAtWork && !waits && !isArriving && openSheet() === null;
  }

  /** Every step of the page ends on a screen: its own, or the one that says what went wrong. */
  run(step: Promise<void>): Promise<void> {
    return step.catch((error: unknown) => this.#fail(error));
  }

  /** Opens the link in the address bar, or the one that this phone used last. */
  async arrive(): Promise<void> {
    await this.#unfinished.recount().catch(console.warn);
    const { hash } = location;
    if (hash !== '') showInAddress(null);
    const token = tokenIn(hash);
    const last = await currentToken(this.#database).catch(unknown);
    if (hash !== '' && token === null) await this.#showDamaged();
    else if (token === null && last == null) await this.#welcome();
    // The home screen always starts with the same link, and another one may have been opened there since.
    else await this.open(STARTED_FROM_HOME_SCREEN ? (last ?? token ?? '') : (token ?? last ?? ''));
  }

  /** Goes to work with a link, whatever was done before: scans in hand are answered, and seen, first. */
  async open(token: string): Promise<void> {
    if (!(await this.#goElsewhere(token))) return;
    const opening = this.#openings;
    show('loading');
    // A phone that cannot read what it knows asks the server.
    const known = await this.#database.get('links', token).catch(unknown);
    if (opening !== this.#openings) return;
    if (known === undefined || known.refused) {
      await this.#openFirst(known);
      return;
    }
    await makeCurrent(this.#database, token);
    if (opening !== this.#openings) return;
    // Staff in a queue must not wait for a bad signal: the door opens from memory, and the server is asked meanwhile.
    const door = this.#enter({ ...known, opened_at: Date.now() });
    await this.#openAgain(door);
  }

  /** False if somebody has gone elsewhere yet again meanwhile. */
  async #goElsewhere(token: string): Promise<boolean> {
    this.#openings += 1;
    const opening = this.#openings;
    await this.#scanning.finish();
    if (opening !== this.#openings) return false;
    this.#leave();
    this.#token = token;
    return true;
  }

  async #openFirst(known: KeptLink | undefined): Promise<void> {
    const token = this.#token;
    const opening = this.#openings;
    // Only what has worked takes the place of a link that works. Where there is none, this one is tried again after a reload.
    const other = await anotherThatWorks(this.#database, token).catch(unknown);
    if (other == null) await makeCurrent(this.#database, token);
    try {
      await this.#openWith(token, known);
    } catch (error) {
      if (opening !== this.#openings) return;
      if (error instanceof Refused) await this.#refuse(token, error);
      else if (!(error instanceof Unreachable)) throw error;
      else {
        const onButton = (): void => void this.run(this.open(token));
        const { trouble, tryAgain } = texts();
        await this.#offerToGoOn(token);
        showTroubleScreen({ title: trouble.noConnection, advice: reasonOf(error), button: tryAgain, onButton });
      }
    }
  }

  async #openWith(token: string, known: KeptLink | undefined, pin?: string): Promise<void> {
    const opening = this.#openings;
    const opened = await openLink({ token, pass: null }, pin);
    const link = openedLink(token, opened, known);
    await keepLink(this.#database, link);
    if (opening !== this.#openings) return;
    await makeCurrent(this.#database, token);
    if (opening === this.#openings) this.#enter(link);
  }

  async #openAgain(door: Door): Promise<void> {
    try {
      await door.reopen(await openLink(door.link));
      if (door === this.#door) fillStartScreen(door);
    } catch (error) {
      if (error instanceof Unreachable) door.connection.lost(error.retryAfterSeconds);
      else if (!(error instanceof Refused)) throw error;
      else if (door === this.#door) await this.#refuse(door.link.token, error);
    }
  }

  #enter(link: KeptLink): Door {
    const door: Door = new Door(this.#database, this.#unfinished, link, (refusal) => {
      if (door === this.#door) this.#end(refusal);
    }, (would) => this.#asking.ask(would));
    this.#door = door;
    // Where nothing is kept, the address is all that is left after a reload.
    showInAddress(link.token, !this.#storage.works.value);
    this.#scanning.follow(door);
    const begin = (): void => {
      navigator.storage?.persist?.().catch(console.warn);
      this.#scanning.start(door);
    };
    showStartScreen(door, begin);
    // A device that was loaded anew while guests scan goes on with that.
    if (door.may('kiosk') && isKeptKiosk(link.opening.link.id)) begin();
    door.start();
    forgetSpentLinks(this.#database, link).catch(console.warn);
    return door;
  }

  /** One step back: out of a sheet, out of an answer, out of the scanner. */
  #goOut(): boolean {
    const sheet = openSheet();
    if (sheet === null) return this.#scanning.goOut();
    sheet.close();
    return this.#scanning.isWorking;
  }

  #leave(): void {
    this.#scanning.stop();
    this.#door?.stop();
    this.#door = null;
    openSheet()?.close();
  }

  /** The work at this door is over. */
  #end(reason: unknown): void {
    if (reason instanceof Refused) void this.run(this.#refuse(this.#token, reason));
    else this.#fail(reason);
  }

  #fail(error: unknown): void {
    this.#leave();
    showFailure(error);
  }

  async #refuse(token: string, refusal: Refused): Promise<void> {
    this.#leave();
    if (refusal.isAboutThePin) {
      await this.#offerToGoOn(token);
      if (token !== this.#token) return;
      showPinScreen((pin) => this.#tryPin(token, pin));
      return;
    }
    const link = await this.#database.get('links', token).catch(unknown);
    if (link !== undefined) await this.#database.put('links', { ...link, refused: true }).catch(console.warn);
    await this.#unfinished.recount().catch(console.warn);
    await this.#showRefused(token, link !== undefined);
  }

  /** Somebody opened half a link. It is said before they go to work with the one they had. */
  async #showDamaged(): Promise<void> {
    if (!(await this.#goElsewhere(''))) return;
    if (await this.#offerToGoOn(null)) await this.#showRefused(null, false);
    else await this.#welcome(texts().welcome.notALink);
  }

  async #showRefused(token: string | null, hasWorked: boolean): Promise<void> {
    const canGoOn = await this.#offerToGoOn(token);
    // Somebody may have gone to another door meanwhile.
    if ((token ?? '') !== this.#token) return;
    const waiting = this.#unfinished.waiting.value;
    showRefusedScreen({ hasWorked, waiting, canGoOn, onOtherLink: () => void this.run(this.#welcome()) });
  }

  async #openAnother(): Promise<void> {
    if (await this.#goElsewhere('')) await this.#welcome();
  }

  async #welcome(message = ''): Promise<void> {
    await this.#offerToGoOn(null);
    showWelcomeScreen((pasted) => void this.run(this.open(pasted)), message);
  }

  /** Whether there is a way back to a link that works, other than the one with this token. */
  async #offerToGoOn(token: string | null): Promise<boolean> {
    const other = (await anotherThatWorks(this.#database, token).catch(unknown)) ?? null;
    offerToGoOn(other, (working) => void this.run(this.open(working)));
    return other !== null;
  }

  /** Null if it is the PIN of the link in use, otherwise what to tell the person. It needs a signal: no PIN is kept here. */
  async #showsPin(pin: string): Promise<string | null> {
    try {
      await openLink({ token: this.#token, pass: null }, pin);
      return null;
    } catch (error) {
      if (error instanceof Unreachable) return reasonOf(error);
      if (error instanceof Refused && error.isAboutThePin) return texts().pin.wrong;
      this.#end(error);
      return null;
    }
  }

  /** Null when the door is open, otherwise what to tell the person. */
  async #tryPin(token: string, pin: string): Promise<string | null> {
    const opening = this.#openings;
    try {
      const known = await this.#database.get('links', token).catch(unknown);
      await this.#openWith(token, known, pin);
    } catch (error) {
      if (opening !== this.#openings) return null;
      if (error instanceof Unreachable) return reasonOf(error);
      if (error instanceof Refused && error.isAboutThePin) return texts().pin.wrong;
      this.#end(error);
    }
    return null;
  }
}

/** For what a phone cannot read from its own database: it goes on as one that never knew it. */
function unknown(error: unknown): undefined {
  console.warn(error);
}

function reasonOf({ tooManyTries, retryAfterSeconds }: Unreachable): string {
  const { trouble } = texts();
  if (!tooManyTries) return trouble.findASignal;
  if (retryAfterSeconds > 90) return trouble.waitMinutes(numberWords(Math.ceil(retryAfterSeconds / 60)));
  return retryAfterSeconds > 0 ? trouble.waitSeconds(numberWords(retryAfterSeconds), retryAfterSeconds === 1) : trouble.tooManyTries;
}

function showOtherTab(): void {
  const { trouble, reload } = texts();
  const onButton = (): void => location.reload();
  showTroubleScreen({ title: trouble.otherTab, advice: trouble.otherTabAdvice, button: reload, onButton });
}

function showFailure(error: unknown): void {
  console.error(error);
  const { trouble, reload } = texts();
  const [title, advice] = needsReload(error)
    ? [reload, trouble.lostDatabase]
    : [trouble.noStorage, trouble.noStorageAdvice];
  showTroubleScreen({ title, advice, button: reload, onButton: () => location.reload() });
}

let page: DoorPage | null = null;

async function main(): Promise<void> {
  const storage = new PatientDatabase();
  const keptPage = new KeptPage({
    workers: navigator.serviceWorker,
    build: document.documentElement.dataset.build ?? '',
    isQuiet: () => page?.isQuiet ?? false,
    reload: () => location.reload(),
    memory: memoryOfThisTab(),
  });
  // Without it the door works as long as there is a signal, so a browser that refuses it is no reason to stop.
  if ('serviceWorker' in navigator) keptPage.start().catch(console.warn);
  await storage.open(openDatabase, showOtherTab);
  const opened = new DoorPage(storage, keptPage.isKept);
  page = opened;
  window.addEventListener('hashchange', () => {
    if (location.hash !== '') void opened.run(opened.arrive());
  });
  await opened.run(opened.arrive());
  // Loaded before it is needed, so that the camera reads from its first picture on.
  prepareReader().catch(console.warn);
}

function memoryOfThisTab(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

speak(preferredLanguage());
fillPage();
listenToCloseButtons();
giveVoiceByTouch();
offerAsApp();
main().catch(showFailure);
