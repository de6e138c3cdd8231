import { Connection } from './connection';
import type { Counts, Guest, Guests, Opening } from './contract';
import type { DoorDatabase, KeptLink, ListMark } from './database';
import { admissionStillWaiting, decideOffline, lookOffline, type LocalScan } from './decide-offline';
import { fetchCounts, findGuests, findParty, lookAt, sendEnter, sendScan, sendUndo } from './door-api';
import { ABOUT_A_PARAMETER, CODE_MAX_BYTES, type LinkOption } from './generated/contract';
import { Blocked, Refused, Unreachable } from './http';
import type { HandScan } from './key-burst';
import { keepLink, openedLink } from './links';
import { OneAtATime } from './one-at-a-time';
import { randomId } from './random-id';
import { decideReadings, type Decided } from './readings';
import { sendQueue } from './send-queue';
import { Signal } from './signal';
import { inCapitals } from './spelling';
import { isListed, learnFromAnswer, refreshList, type ListState } from './ticket-list';
import type { Unfinished } from './unfinished';
import { verdictFromAnswer, verdictOf, type Verdict } from './verdict';
import { scanErrorWords } from './verdict-words';

const REFRESH_EVERY_MS = 15_000;
// Several scans in a row need their counts only once.
const COUNT_AFTER_SCAN_MS = 800;

/** An opened link at work: it decides scans, and keeps list, queue and counts in step with the server. */
export class Door {
  readonly connection: Connection;
  readonly counts: Signal<Counts>;
  readonly list = new Signal<ListState>({ completedAt: null, codes: 0, loading: false });
  readonly #database: DoorDatabase;
  readonly #unfinished: Unfinished;
  readonly #onRefused: (refusal: Refused) => void;
  /** Asks the person at the door whether somebody is to be let in. */
  readonly #confirm: (would: Verdict) => Promise<boolean>;
  #link: KeptLink;
  /** The server has answered the last scan that it was asked about. */
  #answersScans = false;
  readonly #undecided = new Map<string, LocalScan>();
  readonly #undoIds = new Map<string, string>();
  readonly #entering = new Map<string, string>();
  #refreshTimer: number | undefined;
  #countTimer: number | undefined;
  // Each for itself: whichever of them takes long, or the server cannot do, must not hold up the other.
  readonly #sending = new OneAtATime(() => this.#sendAndCount());
  readonly #listing = new OneAtATime(() => this.#inTheBackground(() => this.#refreshList()));
  #stopped = false;

  constructor(
    database: DoorDatabase,
    unfinished: Unfinished,
    link: KeptLink,
    onRefused: (refusal: Refused) => void,
    confirm: (would: Verdict) => Promise<boolean> = () => Promise.resolve(true),
  ) {
    this.#database = database;
    this.#unfinished = unfinished;
    this.#link = link;
    this.#onRefused = onRefused;
    this.#confirm = confirm;
    this.counts = new Signal(link.opening.counts);
    this.connection = new Connection(
      () => this.#probe(),
      () => void this.catchUp(),
    );
  }

  get link(): KeptLink {
    return this.#link;
  }

  /** Whether a scan was shown to the server that this phone could not write down: only this page knows it. */
  get hasUndecided(): boolean {
    return this.#undecided.size > 0;
  }

  start(): void {
    this.connection.start();
    this.#refreshTimer = window.setInterval(() => void this.catchUp(), REFRESH_EVERY_MS);
    this.#showList().catch(console.warn);
    void this.catchUp();
  }

  stop(): void {
    this.#stopped = true;
    this.connection.stop();
    window.clearInterval(this.#refreshTimer);
    window.clearTimeout(this.#countTimer);
  }

  async chooseStation(station: string): Promise<void> {
    this.#link = { ...this.#link, station };
    // The counts that are known are of another station.
    await this.#takeCounts({ ...this.#link.opening.counts, entered_here: null });
    this.#countSoon();
  }

  /** The server has told more about this link than was known on this phone. */
  async reopen(opening: Opening): Promise<void> {
    const { entered_here } = this.#link.opening.counts;
    this.#link = openedLink(this.#link.token, opening, this.#link);
    // What is told at the opening is of no station.
    await this.#takeCounts({ ...opening.counts, entered_here: opening.counts.entered_here ?? entered_here ?? null });
  }

  /** Decides a scan from a hand scanner, whose keys this device may have read wrongly, or any other. */
  decideReadings(scan: HandScan): Promise<Decided> {
    const known = (code: string): Promise<boolean> => isListed(this.#database, this.#link, code).catch(() => false);
    return decideReadings({ decide: (code) => this.decide(code), isListed: known }, scan);
  }

  /** Decides one scan. A green verdict is either the server's, or safely written on this phone. */
  async decide(code: string): Promise<Verdict> {
    if (new TextEncoder().encode(code).length > CODE_MAX_BYTES) return verdictOf({ outcome: 'too_long' });
    const key = inCapitals(code);
    const before = this.#undecided.get(key);
    const scan = before ?? this.#newScan(code);
    // Whoever was asked about this very scan has said yes already.
    if (before === undefined && this.may('confirm') && !(await this.#isConfirmed(scan))) return verdictOf({ outcome: 'not_now' });
    // The server may have decided a scan that this phone could not write down: the same scan gets the same answer.
    this.#undecided.set(key, scan);
    const verdict = await this.#decideScan(scan);
    if (verdict.outcome !== 'failed') this.#undecided.delete(key);
    return { ...verdict, scanId: scan.scan_id };
  }

  /** Asks the person at the door before somebody is let in. Who would be refused is refused without a question. */
  async #isConfirmed(scan: LocalScan): Promise<boolean> {
    const would = await this.#look(scan);
    return would.outcome !== 'admitted' || this.#confirm(would);
  }

  async #look({ code, scan_id, station, scanned_at }: LocalScan): Promise<Verdict> {
    const told = { code, scan_id, scanned_at };
    try {
      if (this.connection.online.value) return verdictFromAnswer(await lookAt(this.#link, station === '' ? told : { ...told, station }));
    } catch (error) {
      // The scan itself says what is wrong with it, or with the link.
      if (error instanceof Refused) return verdictOf({ outcome: 'failed' });
      if (!(error instanceof Unreachable)) throw error;
    }
    return lookOffline(this.#database, this.#link, code);
  }

  /** Whether whoever made the link allowed this. */
  may(option: LinkOption): boolean {
    return this.#link.opening.link.options?.includes(option) ?? false;
  }

  /** Guests by name, order or e-mail address. It needs a signal: names are on no list of this phone. */
  findGuests(text: string): Promise<Guests> {
    return findGuests(this.#link, text);
  }

  /** Whether others of the order may come in together with somebody who has just been scanned. */
  offersParty({ outcome, offline, group }: Verdict): boolean {
    const isShown = (outcome === 'admitted' || outcome === 'already_scanned') && !offline;
    return isShown && group !== null && group.entered < group.of && this.may('party');
  }

  /** The others of the order of a ticket that was scanned. */
  findParty(scanId: string): Promise<Guests> {
    return findParty(this.#link, scanId);
  }

  /** Lets a guest in without a code. It needs a signal. */
  async enter({ handle }: Guest): Promise<Verdict> {
    const scan_id = this.#entering.get(handle) ?? randomId();
    // The same one until its answer is there: a second tap, or a try after a lost answer, lets nobody in twice.
    this.#entering.set(handle, scan_id);
    const { station } = this.#link;
    const told = { handle, scan_id };
    const answer = await sendEnter(this.#link, station === '' ? told : { ...told, station });
    this.#entering.delete(handle);
    this.#countSoon();
    void this.#listing.run();
    return { ...verdictFromAnswer(answer), scanId: scan_id };
  }

  /** Takes back the entry that a scan made. It needs a signal: nobody could rely on a phone that says so by itself. */
  async undo(scanId: string): Promise<void> {
    const undoId = this.#undoIds.get(scanId) ?? randomId();
    // The same one when it is tried again: its answer may have been lost.
    this.#undoIds.set(scanId, undoId);
    const { station } = this.#link;
    const told = { scan_id: scanId, undo_id: undoId };
    await sendUndo(this.#link, station === '' ? told : { ...told, station });
    this.#countSoon();
    // The list tells this phone, like any other, that the ticket is good again.
    void this.#listing.run();
  }

  #newScan(code: string): LocalScan {
    return { code, scan_id: randomId(), station: this.#link.station, scanned_at: new Date().toISOString() };
  }

  async #decideScan(scan: LocalScan): Promise<Verdict> {
    const { code } = scan;
    let blocked = 0;
    try {
      if (this.connection.online.value) return (await this.#admittedBefore(code)) ?? (await this.#ask(scan));
    } catch (error) {
      if (error instanceof Refused && !error.isAboutTheLink) {
        this.#undecided.delete(inCapitals(code));
        return verdictOf({ outcome: 'failed', advice: scanErrorWords(error.code, error.message) });
      }
      if (!(error instanceof Unreachable)) throw error;
      if (error instanceof Blocked) {
        // It may be this one code that somebody on the way takes offence at. The counts tell whether it is everything.
        blocked = 1;
        this.#answersScans = false;
        this.#countSoon();
      } else {
        this.connection.lost(error.retryAfterSeconds);
      }
    }
    const verdict = await decideOffline(this.#database, this.#link, scan, blocked);
    // It is written down, and that is what counts: the numbers on the screen may follow later.
    await this.#unfinished.recountWaiting().catch(console.warn);
    await this.#showCounts();
    return verdict;
  }

  /** A phone that cannot read what it has written down asks the server all the same: somebody stands at the door. */
  async #admittedBefore(code: string): Promise<Verdict | null> {
    try {
      return await admissionStillWaiting(this.#database, this.#link.opening, code);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  async #ask(scan: LocalScan): Promise<Verdict> {
    const { code, scan_id, station, scanned_at } = scan;
    const told = { code, scan_id, scanned_at };
    const answer = await sendScan(this.#link, station === '' ? told : { ...told, station });
    this.#answersScans = true;
    // What the server said counts, whether or not this phone manages to write it down.
    await learnFromAnswer(this.#database, this.#link, code, answer, { scanned_at, station }).catch(console.warn);
    this.#countSoon();
    return verdictFromAnswer(answer);
  }

  #countSoon(): void {
    window.clearTimeout(this.#countTimer);
    if (!this.connection.online.value) return;
    this.#countTimer = window.setTimeout(() => void this.#orGoOffline(() => this.#refreshCounts()), COUNT_AFTER_SCAN_MS);
  }

  /** Sends what waits, and fetches what is new. */
  async catchUp(): Promise<void> {
    await Promise.all([this.#sending.run(), this.#listing.run()]);
  }

  async #sendAndCount(): Promise<void> {
    if (this.#stopped || !this.connection.online.value) return;
    await this.#inTheBackground(() => this.#sendQueue());
    await this.#orGoOffline(() => this.#refreshCounts());
  }

  async #sendQueue(): Promise<void> {
    await sendQueue(this.#database, {
      current: this.#link,
      isStopped: () => this.#stopped || !this.connection.online.value,
      onProgress: () => this.#unfinished.recount().catch(console.warn),
    });
    await this.#unfinished.recount();
  }

  async #refreshList(): Promise<void> {
    await this.#showList();
    if (this.#stopped || !this.connection.online.value || !('subtle' in crypto)) return;
    try {
      this.list.value = { ...this.list.value, loading: this.list.value.completedAt === null };
      await refreshList(this.#database, this.#link, {
        isStopped: () => this.#stopped,
        onProgress: (mark) => this.#setList(mark, true),
      });
    } finally {
      this.list.value = { ...this.list.value, loading: false };
    }
  }

  async #probe(): Promise<void> {
    try {
      await this.#refreshCounts();
    } catch (error) {
      if (error instanceof Blocked && this.#answersScans) return;
      // A refusal is an answer: there is a way through, and it leads to the end of this link.
      if (!(error instanceof Refused)) throw error;
      this.#refuse(error);
    }
  }

  /** For what tells whether scans get through: where it fails, the phone decides by itself. */
  async #orGoOffline(work: () => Promise<void>): Promise<void> {
    await this.#inTheBackground(async () => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        // Whoever blocks the counts on the way lets scans through, and they matter more.
        if (error instanceof Blocked && this.#answersScans) return;
        this.connection.lost(error.retryAfterSeconds);
      }
    });
  }

  /** For what may fail while scanning works: it is tried again with the next refresh. */
  async #inTheBackground(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopped || error instanceof Unreachable) return;
      if (error instanceof Refused) this.#refuse(error);
      else console.error(error);
    }
  }

  #refuse(refusal: Refused): void {
    if (!this.#stopped && refusal.isAboutTheLink) this.#onRefused(refusal);
  }

  async #refreshCounts(): Promise<void> {
    const { station } = this.#link;
    const counts = await fetchCounts(this.#link, station).catch((error: unknown) => {
      if (!(error instanceof Refused && ABOUT_A_PARAMETER.includes(error.code))) throw error;
      // A server that has nothing to say about this station has the other counts all the same.
      return fetchCounts(this.#link, '');
    });
    // The person may have gone to another station meanwhile.
    await this.#takeCounts(station === this.#link.station ? counts : { ...counts, entered_here: null });
  }

  async #takeCounts(fromServer: Counts): Promise<void> {
    if (this.#stopped) return;
    this.#link = { ...this.#link, opening: { ...this.#link.opening, counts: fromServer } };
    await keepLink(this.#database, this.#link);
    await this.#showCounts();
  }

  /** The server's counts, and on top of them those whom this phone let in without telling it yet. */
  async #showCounts(): Promise<void> {
    const { token, station, opening: { counts } } = this.#link;
    const admitted = [token, 'admitted'];
    // An array sorts after every string, so this ends behind the last station.
    const untold = await this.#countUntold(IDBKeyRange.bound(admitted, [...admitted, []]));
    const untoldHere = await this.#countUntold(IDBKeyRange.only([...admitted, station]));
    if (this.#stopped) return;
    this.counts.value = {
      entered: counts.entered + untold,
      to_come: Math.max(0, counts.to_come - untold),
      entered_here: counts.entered_here == null ? null : counts.entered_here + untoldHere,
    };
  }

  #countUntold(range: IDBKeyRange): Promise<number> {
    return this.#database.countFromIndex('queue', 'decision', range).catch(() => 0);
  }

  async #showList(): Promise<void> {
    this.#setList(await this.#database.get('marks', this.#link.opening.link.id), this.list.value.loading);
  }

  #setList(mark: ListMark | undefined, isWalking: boolean): void {
    const completedAt = mark?.completed_at ?? null;
    this.list.value = { completedAt, codes: mark?.codes ?? 0, loading: isWalking && completedAt === null };
  }
}
