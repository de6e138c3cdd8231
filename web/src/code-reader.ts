import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { middleOf, type Cut, type FoundCode } from './viewfinder';
import { PictureReader } from './picture-reader';

/** Finds the codes in a part of the picture that a video shows now. */
export type CodeReader = (video: HTMLVideoElement, cut: Cut) => Promise<FoundCode[]>;

const NATIVE_FORMATS = ['qr_code', 'code_128', 'aztec', 'data_matrix', 'pdf417'];

let prepared: Promise<CodeReader> | undefined;
let nativeFailed = false;

/** The best reader that this phone has. Asked for early, it is ready when the camera is. */
export function prepareReader(): Promise<CodeReader> {
  prepared ??= bestReader().catch((error: unknown) => {
    // What could not be loaded now may be loaded later.
    prepared = undefined;
    throw error;
  });
  return prepared;
}

async function bestReader(): Promise<CodeReader> {
  return (await nativeReader()) ?? ownReader();
}

async function nativeReader(): Promise<CodeReader | null> {
  if (nativeFailed || !('BarcodeDetector' in window)) return null;
  const supported = await BarcodeDetector.getSupportedFormats().catch((): string[] => []);
  if (!supported.includes('qr_code')) return null;
  const detector = new BarcodeDetector({ formats: NATIVE_FORMATS.filter((format) => supported.includes(format)) });
  const draw = cutter({});
  return async (video, cut) => {
    try {
      const found = await detector.detect(draw(video, cut).canvas);
      return found.map(({ rawValue, cornerPoints }) => ({ text: rawValue, middle: middleOf(cornerPoints) }));
    } catch {
      // Some phones promise a reader that their system does not have after all.
      nativeFailed = true;
      prepared = undefined;
      return (await prepareReader())(video, cut);
    }
  };
}

async function ownReader(): Promise<CodeReader> {
  const reader = new PictureReader(() => new Worker(new URL('./picture-worker.ts', import.meta.url)), wasmUrl);
  await reader.load();
  // Four times as fast as createImageBitmap, and every browser has it. A VideoFrame is faster still, but few have that.
  const draw = cutter({ willReadFrequently: true });
  return async (video, cut) => reader.read(draw(video, cut).getImageData(0, 0, cut.size.width, cut.size.height));
}

type Cutter = (video: HTMLVideoElement, cut: Cut) => CanvasRenderingContext2D;

/** Draws parts of a video, always on the same canvas. */
function cutter(settings: CanvasRenderingContext2DSettings): Cutter {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', settings);
  return (video, { from, size }) => {
    if (context === null) throw new Error('This browser has no canvas to draw on');
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    context.drawImage(video, from.x, from.y, from.width, from.height, 0, 0, size.width, size.height);
    return context;
  };
}
