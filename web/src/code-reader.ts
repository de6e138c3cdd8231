import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Finds the codes in the picture that a video shows now. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string[]>;

const NATIVE_FORMATS = ['qr_code', 'code_128', 'aztec', 'data_matrix', 'pdf417'];
const OPTIONS: ReaderOptions = {
  formats: ['QRCode', 'Code128', 'Aztec', 'DataMatrix', 'PDF417'],
  tryHarder: true,
  maxNumberOfSymbols: 4,
};
// Larger pictures take longer to search without being read any better.
const LONGEST_SIDE = 800;

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
  return async (video) => {
    try {
      return (await detector.detect(video)).map((found) => found.rawValue);
    } catch {
      // Some phones promise a reader that their system does not have after all.
      nativeFailed = true;
      prepared = undefined;
      return (await prepareReader())(video);
    }
  };
}

async function ownReader(): Promise<CodeReader> {
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    const width = Math.round(video.videoWidth * scale);
    const height = Math.round(video.videoHeight * scale);
    if (context === null || width === 0 || height === 0) return [];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    const found = await readBarcodes(context.getImageData(0, 0, width, height), OPTIONS);
    return found.filter((code) => code.isValid).map((code) => code.text);
  };
}
