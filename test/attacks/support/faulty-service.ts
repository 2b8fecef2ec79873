import { Service } from '../../http/service.ts';
import { GRAY, idat, iend, ihdr, png, rows } from './png.ts';

const FAULTS = new URL('./faults.mjs', import.meta.url).href;

/** Faults of the engine and its thread, and the responses that are right. */
export const ENGINE_FAULTS = {
  'an engine that traps': { height: 1, expected: ['500 engine_failure'] },
  'an endless loop': { height: 2, expected: ['504 processing_timeout'] },
  'an engine without memory': { height: 3, expected: ['500 engine_failure', '422 image_too_complex'] },
  'a worker that ends': { height: 4, expected: ['500 engine_failure'] },
  'an engine that throws what is no error': { height: 5, expected: ['500 engine_failure'] },
};

/** An image that causes a fault of ENGINE_FAULTS. */
export function faultyImage(height: number): Buffer {
  const header = { width: 7, height, colorType: GRAY };
  return png(ihdr(header), idat(rows(header)), iend);
}

/** A black image. */
export function flatPng(width: number, height: number): Buffer {
  const filterBytes = 1;
  const pixels = Buffer.alloc((filterBytes + width) * height);
  return png(ihdr({ width, height, colorType: GRAY }), idat(pixels), iend);
}

/** A service with faults.mjs loaded. */
export function startFaulty(settings: Record<string, string> = {}): Promise<Service> {
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${FAULTS}`.trim();
  return Service.start({ ...settings, NODE_OPTIONS });
}
