// The browser's own reader of codes, which TypeScript does not describe yet.

interface DetectedBarcode {
  rawValue: string;
  cornerPoints: { x: number; y: number }[];
}

declare class BarcodeDetector {
  static getSupportedFormats(): Promise<string[]>;
  constructor(options: { formats: string[] });
  detect(image: CanvasImageSource): Promise<DetectedBarcode[]>;
}
