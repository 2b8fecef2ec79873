import type { Size } from '../../../host/image/format.ts';

/** A marker and its segment. */
export function segment(marker: number, content: Uint8Array | number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, Buffer.from(content)]);
}

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const COMPONENTS = [1, 2, 3];

/**
 * A JPEG of one color in `scans` scans of 14 bytes, of which all but two are of the first component. It is arithmetically coded, so the decoder
 * takes missing data for zeros and goes over the whole image without a warning.
 */
export function jpegOfScans({ width, height }: Size, scans: number): Buffer {
  const components = COMPONENTS.flatMap((id) => [id, 0x11, 0]);
  const [h, w] = [height, width].map((px) => [px >> 8, px & 255]);
  const frame = [8, ...(h ?? []), ...(w ?? []), COMPONENTS.length, ...components];
  const scanOf = (id: number) => Buffer.concat([segment(0xda, [1, id, 0, 0, 63, 0]), Buffer.alloc(4)]);
  const first = Buffer.alloc((scans - 2) * scanOf(1).length, scanOf(1));
  const quantization = segment(0xdb, [0, ...Array(64).fill(1)]);
  return Buffer.concat([START, quantization, segment(0xc9, frame), first, scanOf(2), scanOf(3), END]);
}
