import { prepareReader } from './code-reader';

const LOOK_EVERY_MS = 100;
// One picture that cannot be read is no reason to stop looking; so many in a row are.
const UNREADABLE_PICTURES = 20;

export type CameraProblem = 'insecure' | 'none' | 'refused' | 'busy' | 'unreadable';

// The torch is not in TypeScript's description of cameras yet.
type WithTorch<T> = T & { torch?: boolean };

/** The phone's camera: shows its picture in a video element and tells which codes are in view. */
export class Camera {
  readonly #video: HTMLVideoElement;
  readonly #onCodes: (codes: string[]) => void;
  readonly #onChange: (problem: CameraProblem | null) => void;
  #stream: MediaStream | null = null;
  #deviceIds: string[] = [];
  #torchOn = false;
  #lookTimer: number | undefined;
  #failedPictures = 0;
  #started = 0;

  constructor(
    video: HTMLVideoElement,
    onCodes: (codes: string[]) => void,
    onChange: (problem: CameraProblem | null) => void,
  ) {
    this.#video = video;
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

  async start(deviceId?: string): Promise<void> {
    this.stop();
    const thisStart = this.#started;
    const problem = (await this.#open(deviceId, thisStart)) ?? (await readerProblem());
    if (thisStart !== this.#started) return;
    this.#onChange(problem);
    if (problem === null) void this.#look(thisStart);
  }

  stop(): void {
    this.#started += 1;
    window.clearTimeout(this.#lookTimer);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
    this.#torchOn = false;
    this.#failedPictures = 0;
    this.#video.srcObject = null;
  }

  /** A phone may take the camera away while the page is in the background. */
  async resume(): Promise<void> {
    if (this.#track?.readyState === 'ended') await this.start();
  }

  async switch(): Promise<void> {
    const now = this.#deviceIds.indexOf(this.#track?.getSettings().deviceId ?? '');
    await this.start(this.#deviceIds[(now + 1) % this.#deviceIds.length]);
  }

  async toggleTorch(): Promise<void> {
    const wanted: WithTorch<MediaTrackConstraintSet> = { torch: !this.#torchOn };
    try {
      await this.#track?.applyConstraints({ advanced: [wanted] });
      this.#torchOn = !this.#torchOn;
    } catch (error) {
      // A hot or nearly empty phone may refuse its light.
      console.warn(error);
    }
    this.#onChange(null);
  }

  async #open(deviceId: string | undefined, thisStart: number): Promise<CameraProblem | null> {
    if (!window.isSecureContext) return 'insecure';
    if (!('mediaDevices' in navigator)) return 'none';
    const which = deviceId === undefined ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: deviceId } };
    try {
      const wanted = { ...which, width: { ideal: 1280 }, height: { ideal: 720 } };
      const stream = await navigator.mediaDevices.getUserMedia({ video: wanted });
      if (thisStart !== this.#started) {
        for (const track of stream.getTracks()) track.stop();
        return null;
      }
      this.#stream = stream;
      this.#video.srcObject = stream;
      await this.#video.play();
      const devices = await navigator.mediaDevices.enumerateDevices();
      this.#deviceIds = devices.filter(({ kind }) => kind === 'videoinput').map((device) => device.deviceId);
      return null;
    } catch (error) {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
      return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
    }
  }

  async #look(thisStart: number): Promise<void> {
    const began = performance.now();
    try {
      await this.#readFrame(thisStart);
      this.#failedPictures = 0;
    } catch (error) {
      console.warn(error);
      this.#failedPictures += 1;
    }
    if (thisStart !== this.#started) return;
    if (this.#failedPictures >= UNREADABLE_PICTURES) {
      this.stop();
      this.#onChange('unreadable');
      return;
    }
    const pause = Math.max(0, LOOK_EVERY_MS - (performance.now() - began));
    this.#lookTimer = window.setTimeout(() => void this.#look(thisStart), pause);
  }

  async #readFrame(thisStart: number): Promise<void> {
    if (document.hidden || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const read = await prepareReader();
    const codes = await read(this.#video);
    if (thisStart === this.#started) this.#onCodes(codes);
  }
}

function readerProblem(): Promise<CameraProblem | null> {
  return prepareReader().then(
    () => null,
    () => 'unreadable',
  );
}
