/// <reference lib="webworker" />

// Looks for codes in pictures, beside the page: on a slow phone one picture takes so long that the page would not
// answer a touch meanwhile.

import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import { middleOf, type FoundCode } from './viewfinder';
import type { FromReader, ToReader } from './picture-reader';

declare const self: DedicatedWorkerGlobalScope;

const OPTIONS: ReaderOptions = {
  formats: ['QRCode', 'Code128', 'Aztec', 'DataMatrix', 'PDF417'],
  tryHarder: true,
  maxNumberOfSymbols: 4,
};

self.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  const answer = (said: FromReader): void => self.postMessage(said);
  const codes = 'wasmUrl' in data ? load(data.wasmUrl) : read(data.picture);
  codes.then(
    (codes) => answer({ codes }),
    (error: unknown) => answer({ error: String(error) }),
  );
});

async function load(wasmUrl: string): Promise<FoundCode[]> {
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  return [];
}

async function read(picture: ImageData): Promise<FoundCode[]> {
  const found = await readBarcodes(picture, OPTIONS);
  return found
    .filter((code) => code.isValid)
    .map(({ text, position }) => {
      const { topLeft, topRight, bottomRight, bottomLeft } = position;
      return { text, middle: middleOf([topLeft, topRight, bottomRight, bottomLeft]) };
    });
}
