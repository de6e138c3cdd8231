import { chooseCamera, isAboutAMissingCamera, nameOf, openChosenCamera, type Facing } from './chosen-camera';
import { prepareReader } from './code-reader';
import { codesInside, cutOf } from './viewfinder';

const LOOK_EVERY_MS = 100;
// One picture that cannot be read is no reason to stop looking; so many in a row are, or a few that took this long.
const UNREADABLE_PICTURES = 20;
const UNREADABLE_MS = 10_000;
// Another app, or the phone itself, may hold the camera for a moment.
const DARK_AT_MOST_MS = 3_000;
// A camera that is lost again so soon after it was opened anew will be lost the next time as well.
const LOST_AGAIN_MS = 10_000;

export type CameraProblem = 'insecure' | 'none' | 'refused' | 'busy' | 'unreadable';

// The torch is not in TypeScript's description of cameras yet.
type WithTorch<T> = T & { torch?: boolean };

/** The phone's camera: shows its picture in a video element and tells which codes are in the viewfinder. */
export class Camera {
  readonly #video: HTMLVideoElement;
  readonly #viewfinder: HTMLElement;
  readonly #onCodes: (codes: string[]) => void;
  readonly #onChange: (problem: CameraProblem | null) => void;
  #stream: MediaStream | null = null;
  #deviceIds: string[] = [];
  #deviceId = '';
  #torchOn = false;
  #lookTimer: number | undefined;
  #darkTimer: number | undefined;
  #failedPictures = 0;
  #failingSince = 0;
  #lostAt = Number.NEGATIVE_INFINITY;
  #started = 0;
  #facing: Facing = 'environment';

  constructor(
    video: HTMLVideoElement,
    viewfinder: HTMLElement,
    onCodes: (codes: string[]) => void,
    onChange: (problem: CameraProblem | null) => void,
  ) {
    this.#video = video;
    this.#viewfinder = viewfinder;
    this.#onCodes = onCodes;
    this.#onChange = onChange;
  }

  get canSwitch(): boolean {
    return this.#deviceIds.length > 1;
  }

  get canLight(): boolean {
    // Not every browser can be asked what a camera is able to do.
    const capabilities: WithTorch<MediaTrackCapabilities> = this.#track?.getCapabilities?.() ?? {};
    return capabilities.torch === true;
  }

  get isLit(): boolean {
    return this.#torchOn;
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#stream?.getVideoTracks()[0];
  }

  /** Opens the camera; without `facing`, again the one that was open. */
  async start(facing = this.#facing): Promise<void> {
    this.#facing = facing;
    this.stop();
    const thisStart = this.#started;
    const problem = (await this.#open(thisStart)) ?? (await readerProblem());
    if (thisStart !== this.#started) return;
    this.#onChange(problem);
    if (problem === null) void this.#look(thisStart);
  }

  stop(): void {
    this.#started += 1;
    window.clearTimeout(this.#lookTimer);
    window.clearTimeout(this.#darkTimer);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
    this.#torchOn = false;
    this.#failedPictures = 0;
    this.#video.srcObject = null;
  }

  /** A phone may take the camera away while the page is in the background. */
  async resume(): Promise<void> {
    const track = this.#track;
    if (track === undefined) return;
    if (track.readyState === 'ended') await this.start();
    else if (track.muted) this.#giveUpIfItStaysDark();
  }

  async switch(): Promise<void> {
    const next = this.#deviceIds[(this.#deviceIds.indexOf(this.#deviceId) + 1) % this.#deviceIds.length];
    if (next === undefined) return;
    // Remembered before it is open: if it cannot be opened, the next switch goes on from it.
    this.#deviceId = next;
    chooseCamera(next);
    await this.start();
  }

  async toggleTorch(): Promise<void> {
    const thisStart = this.#started;
    const wanted: WithTorch<MediaTrackConstraintSet> = { torch: !this.#torchOn };
    try {
      await this.#track?.applyConstraints({ advanced: [wanted] });
      if (thisStart !== this.#started) return;
      this.#torchOn = !this.#torchOn;
    } catch (error) {
      // A hot or nearly empty phone may refuse its light.
      console.warn(error);
    }
    this.#onChange(null);
  }

  async #open(thisStart: number): Promise<CameraProblem | null> {
    if (!window.isSecureContext) return 'insecure';
    if (!('mediaDevices' in navigator)) return 'none';
    try {
      const stream = await openChosenCamera(this.#facing);
      if (thisStart !== this.#started) {
        for (const track of stream.getTracks()) track.stop();
        return null;
      }
      this.#stream = stream;
      this.#watch(thisStart);
      this.#video.srcObject = stream;
      await this.#video.play();
      this.#deviceId = this.#track?.getSettings().deviceId ?? '';
      return null;
    } catch (error) {
      if (['NotAllowedError', 'SecurityError'].includes(nameOf(error))) return 'refused';
      return isAboutAMissingCamera(error) ? 'none' : 'busy';
    } finally {
      // Also where this one cannot be opened: another one may work.
      await this.#listCameras().catch(console.warn);
    }
  }

  async #listCameras(): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const cameras = devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '');
    this.#deviceIds = cameras.map(({ deviceId }) => deviceId);
  }

  /** A camera may be pulled out, or taken by another app, while nothing on the page tells of it. */
  #watch(thisStart: number): void {
    const track = this.#track;
    if (track === undefined) return;
    track.addEventListener('ended', () => {
      if (thisStart === this.#started) void this.#lost();
    });
    track.addEventListener('mute', () => {
      if (thisStart === this.#started) this.#giveUpIfItStaysDark();
    });
    track.addEventListener('unmute', () => {
      if (thisStart === this.#started) window.clearTimeout(this.#darkTimer);
    });
    if (track.muted) this.#giveUpIfItStaysDark();
  }

  #giveUpIfItStaysDark(): void {
    window.clearTimeout(this.#darkTimer);
    this.#darkTimer = window.setTimeout(() => void this.#lost(), DARK_AT_MOST_MS);
  }

  async #lost(): Promise<void> {
    // In the background a phone gives no camera. Coming back opens it again.
    if (document.hidden) return;
    const isLostAgain = performance.now() - this.#lostAt < LOST_AGAIN_MS;
    this.#lostAt = performance.now();
    if (!isLostAgain) {
      await this.start();
      return;
    }
    this.stop();
    this.#onChange('busy');
  }

  async #look(thisStart: number): Promise<void> {
    const began = performance.now();
    try {
      await this.#readFrame(thisStart);
      this.#failedPictures = 0;
    } catch (error) {
      if (thisStart !== this.#started) return;
      console.warn(error);
      if (this.#failedPictures === 0) this.#failingSince = performance.now();
      this.#failedPictures += 1;
    }
    if (thisStart !== this.#started) return;
    const failsForLong = this.#failedPictures > 1 && performance.now() - this.#failingSince >= UNREADABLE_MS;
    if (failsForLong || this.#failedPictures >= UNREADABLE_PICTURES) {
      this.stop();
      this.#onChange('unreadable');
      return;
    }
    const pause = Math.max(0, LOOK_EVERY_MS - (performance.now() - began));
    this.#lookTimer = window.setTimeout(() => void this.#look(thisStart), pause);
  }

  /** One picture at a time: those that come while it is read are not looked at. */
  async #readFrame(thisStart: number): Promise<void> {
    const video = this.#video;
    if (document.hidden || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const picture = { width: video.videoWidth, height: video.videoHeight };
    const cut = cutOf(picture, video.getBoundingClientRect(), this.#viewfinder.getBoundingClientRect());
    if (cut === null) return;
    const read = await prepareReader();
    const found = await read(video, cut);
    if (thisStart === this.#started) this.#onCodes(codesInside(found, cut.finder));
  }
}

function readerProblem(): Promise<CameraProblem | null> {
  return prepareReader().then(
    () => null,
    () => 'unreadable',
  );
}
