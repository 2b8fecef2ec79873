import sharp, { type JpegOptions } from 'sharp';
import { picture } from '../../http/service.ts';
import type { Images } from './torture-png.ts';

const START_OF_FRAME = 0xc0;
const START_OF_SCAN = 0xda;

interface JpegSegment {
  marker: number;
  /** The marker, the length, the parameters and, after a scan's, the coded data. */
  bytes: Buffer;
}

/** The segments between the markers of start and end. */
function segmentsOf(jpeg: Buffer): JpegSegment[] {
  const segments: JpegSegment[] = [];
  for (let at = 2; at < jpeg.length - 2; ) {
    const marker = jpeg[at + 1] ?? 0;
    let end = at + 2 + jpeg.readUInt16BE(at + 2);
    const isCoded = () => jpeg[end] !== 0xff || jpeg[end + 1] === 0 || ((jpeg[end + 1] ?? 0) & 0xf8) === 0xd0;
    if (marker === START_OF_SCAN) while (end < jpeg.length && isCoded()) end++;
    segments.push({ marker, bytes: jpeg.subarray(at, end) });
    at = end;
  }
  return segments;
}

const joined = (segments: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])]);
const isFrame = ({ marker }: JpegSegment) => marker === START_OF_FRAME || marker === START_OF_FRAME + 2;

/** A copy with other bytes from a position. */
function patched(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

/** A JPEG whose frame header is changed by setting bytes at an offset. */
function withFrame(jpeg: Buffer, at: number, ...values: number[]): Buffer {
  const change = (segment: JpegSegment) =>
    isFrame(segment) ? patched(segment.bytes, at, ...values) : segment.bytes;
  return joined(segmentsOf(jpeg).map(change));
}

/** A progressive JPEG whose last scan is repeated. */
function withScans(jpeg: Buffer, count: number): Buffer {
  const segments = segmentsOf(jpeg);
  const last = segments.findLast(({ marker }) => marker === START_OF_SCAN)?.bytes ?? Buffer.alloc(0);
  return joined([...segments.map(({ bytes }) => bytes), ...Array<Buffer>(count).fill(last)]);
}

async function jpegs(): Promise<Images> {
  const picture = sharp(Buffer.alloc(32 * 24 * 3, 'a drawing'), {
    raw: { width: 32, height: 24, channels: 3 },
  });
  const encode = (options: JpegOptions) => picture.clone().jpeg(options).toBuffer();
  const baseline = await encode({});
  const progressive = await encode({ progressive: true });
  const without = (marker: number) =>
    joined(segmentsOf(baseline).flatMap((segment) => (segment.marker === marker ? [] : [segment.bytes])));
  const segment = (marker: number, body: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
  const extra = (...segments: Buffer[]) =>
    joined([...segments, ...segmentsOf(baseline).map(({ bytes }) => bytes)]);
  return {
    'valid: baseline': baseline,
    'valid: progressive': progressive,
    'valid: CMYK': await picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
    'valid: gray': await picture.clone().grayscale().jpeg().toBuffer(),
    'arithmetic coding': withFrame(baseline, 1, 0xc9),
    'arithmetic coding, progressive': withFrame(progressive, 1, 0xca),
    lossless: withFrame(baseline, 1, 0xc3),
    hierarchical: withFrame(baseline, 1, 0xc5),
    '12 bits': withFrame(baseline, 4, 12),
    '12 bits, extended': withFrame(withFrame(baseline, 4, 12), 1, 0xc1),
    '0 bits': withFrame(baseline, 4, 0),
    'no height': withFrame(baseline, 5, 0, 0),
    'no width': withFrame(baseline, 7, 0, 0),
    '65,535 × 65,535': withFrame(baseline, 5, 255, 255, 255, 255),
    '2,000 × 2,000 of little data': withFrame(baseline, 5, 0x07, 0xd0, 0x07, 0xd0),
    'no components': withFrame(baseline, 9, 0),
    '255 components': withFrame(baseline, 9, 255),
    'sampling factors of 0': withFrame(baseline, 11, 0),
    'sampling factors of 15': withFrame(baseline, 11, 0xff),
    'a quantization table that is missing': withFrame(baseline, 12, 3),
    'no quantization tables': without(0xdb),
    'no Huffman tables': without(0xc4),
    'no scan': without(START_OF_SCAN),
    'no frame': without(START_OF_FRAME),
    'two frames': joined(segmentsOf(baseline).flatMap((s) => (isFrame(s) ? [s.bytes, s.bytes] : [s.bytes]))),
    '5,000 scans': withScans(progressive, 5_000),
    'a scan of a baseline JPEG 500 times': withScans(baseline, 500),
    'restart intervals of 1': extra(segment(0xdd, Buffer.from([0, 1]))),
    'a Huffman table of 255 codes a length': extra(segment(0xc4, Buffer.alloc(300, 255))),
    'a segment of length 0': extra(Buffer.from([0xff, 0xe1, 0, 0])),
    'a segment longer than the file': extra(Buffer.from([0xff, 0xe1, 0xff, 0xff])),
    'EXIF that points outside': extra(segment(0xe1, Buffer.from('Exif\0\0MM\0*\xff\xff\xff\xf0', 'latin1'))),
    'EXIF that points at itself': extra(
      segment(0xe1, Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\x08', 'latin1')),
    ),
    'an ICC profile of nonsense': extra(
      segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(200, 3)])),
    ),
    'an ICC profile of 255 parts, of which one is there': extra(
      segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\xff', 'latin1'), Buffer.alloc(200, 3)])),
    ),
    'a script in a comment': extra(
      segment(0xfe, Buffer.from('<?php system("id"); ?><script>alert(1)</script>')),
    ),
    'only markers': Buffer.alloc(1000, 0xff),
    'start and end': joined([]),
    ...everyCut('a JPEG', baseline),
  };
}

/** A file cut at 16 places. */
function everyCut(name: string, file: Buffer): Images {
  const cut = (i: number) => Math.ceil((file.length * (i + 0.5)) / 16);
  return Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`${name}, cut at ${cut(i)}`, file.subarray(0, cut(i))]),
  );
}

function gifs(): Images {
  const screen = (width: number, height: number, flags = 0x80) =>
    Buffer.from([...Buffer.from('GIF89a'), width & 255, width >> 8, height & 255, height >> 8, flags, 0, 0]);
  const table = Buffer.from([0, 0, 0, 255, 255, 255]);
  const frame = (width: number, height: number, x = 0, y = 0, codeSize = 2) => {
    const size = [x & 255, x >> 8, y & 255, y >> 8, width & 255, width >> 8, height & 255, height >> 8];
    return Buffer.from([0x2c, ...size, 0, codeSize, 2, 0x4c, 0x01, 0]);
  };
  const end = Buffer.from([0x3b]);
  const gif = (...parts: Buffer[]) => Buffer.concat([...parts, end]);
  const letters = picture('letters.gif');
  return {
    'valid: one pixel': gif(screen(1, 1), table, frame(1, 1)),
    'no frames': gif(screen(8, 8), table),
    'a screen of 0 × 0': gif(screen(0, 0), table, frame(1, 1)),
    'a frame of 0 × 0': gif(screen(8, 8), table, frame(0, 0)),
    'a frame larger than the screen': gif(screen(2, 2), table, frame(60_000, 60_000)),
    'a frame outside the screen': gif(screen(2, 2), table, frame(1, 1, 60_000, 60_000)),
    'a screen of 65,535 × 65,535': gif(screen(65_535, 65_535), table, frame(1, 1)),
    'a screen of 6,000 × 6,000': gif(screen(6_000, 6_000), table, frame(1, 1)),
    'no color table': gif(screen(1, 1, 0), frame(1, 1)),
    'code size 0': gif(screen(1, 1), table, frame(1, 1, 0, 0, 0)),
    'code size 12': gif(screen(1, 1), table, frame(1, 1, 0, 0, 12)),
    'code size 255': gif(screen(1, 1), table, frame(1, 1, 0, 0, 255)),
    '20,000 frames': gif(screen(1, 1), table, ...Array<Buffer>(20_000).fill(frame(1, 1))),
    'an extension that does not end': Buffer.concat([screen(1, 1), table, Buffer.from([0x21, 0xff, 255])]),
    '100,000 comments': gif(
      screen(1, 1),
      table,
      Buffer.alloc(500_000, Buffer.from([0x21, 0xfe, 1, 0x61, 0])),
      frame(1, 1),
    ),
    'a program in a script': Buffer.concat([
      Buffer.from('GIF89a/*'),
      Buffer.alloc(90),
      Buffer.from('*/=1;alert(1)'),
    ]),
    'code that repeats for ever': gif(screen(2_000, 2_000), table, frame(2_000, 2_000)),
    ...everyCut('a GIF', letters),
  };
}

interface BmpHeader {
  length?: number;
  width?: number;
  height?: number;
  planes?: number;
  depth?: number;
  compression?: number;
  colors?: number;
  masks?: number[];
  offset?: number;
  pixels?: Buffer;
}

function bmp(given: BmpHeader = {}): Buffer {
  const { length = 40, width = 4, height = 4, planes = 1, depth = 24, compression = 0, colors = 0 } = given;
  const masks = Buffer.concat(
    (given.masks ?? []).map((mask) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(mask >>> 0);
      return bytes;
    }),
  );
  const head = Buffer.alloc(14 + Math.max(40, length));
  head.write('BM');
  head.writeUInt32LE(given.offset ?? head.length + masks.length, 10);
  head.writeUInt32LE(length >>> 0, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(planes, 26);
  head.writeUInt16LE(depth, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(colors >>> 0, 46);
  return Buffer.concat([head, masks, given.pixels ?? Buffer.alloc(64, 200)]);
}

function bmps(): Images {
  const RLE8 = 1;
  const RLE4 = 2;
  const BITFIELDS = 3;
  const fields = (depth: number, ...masks: number[]) => bmp({ depth, compression: BITFIELDS, masks });
  const run = (compression: number, ...codes: number[]) =>
    bmp({
      depth: compression === RLE8 ? 8 : 4,
      compression,
      colors: 2,
      pixels: Buffer.from([...Array(8).fill(0), ...codes]),
    });
  const images: Images = {
    'valid: 24 bits': bmp(),
    'valid: from top to bottom': bmp({ height: -4 }),
    'valid: 565': fields(16, 0xf800, 0x7e0, 0x1f),
    'no masks at all': fields(32, 0, 0, 0),
    'masks that overlap': fields(32, 0xffff, 0xfff0, 0xff00),
    'masks with gaps': fields(32, 0xf0f0f0f0, 0x0a0a0000, 0x55),
    'masks of all bits': fields(32, 0xffffffff, 0xffffffff, 0xffffffff),
    'masks wider than a pixel': fields(16, 0xff0000, 0xff000000, 0xff),
    'masks with 24 bits': fields(24, 0xff, 0xff00, 0xff0000),
    'a height of −2³¹': bmp({ height: -(2 ** 31) }),
    'a width of 2³¹−1': bmp({ width: 2 ** 31 - 1 }),
    'a width below 0': bmp({ width: -4 }),
    'no planes': bmp({ planes: 0 }),
    '65,535 planes': bmp({ planes: 65_535 }),
    '2³²−1 colors': bmp({ depth: 8, colors: 2 ** 32 - 1 }),
    'no colors': bmp({ depth: 8, colors: 0 }),
    'pixels before the header': bmp({ offset: 2 }),
    'pixels after the end': bmp({ offset: 2 ** 32 - 1 }),
    'a jump outside': run(RLE8, 0, 2, 255, 255, 4, 1, 0, 1),
    'a run beyond the row': run(RLE8, 255, 1, 255, 1, 0, 1),
    'a run beyond the file': run(RLE8, 0, 255, 1),
    'a run of 4 bits beyond the row': run(RLE4, 255, 0x11, 0, 1),
    'ends of lines without end': run(RLE8, ...Array(5_000).fill(0)),
    '6,000 × 6,000 without pixels': bmp({ width: 6_000, height: 6_000 }),
    '6,000 × 6,000 in one run': bmp({
      width: 6_000,
      height: 6_000,
      depth: 8,
      compression: RLE8,
      colors: 2,
      pixels: Buffer.from([0, 1]),
    }),
    ...everyCut('a BMP', picture('letters.bmp')),
  };
  for (const depth of [0, 2, 3, 15, 48, 64, 65_535]) images[`${depth} bits`] = bmp({ depth });
  for (const compression of [4, 5, 6, 11, 13, 255])
    images[`compression ${compression}`] = bmp({ compression });
  for (const length of [0, 12, 16, 41, 52, 56, 64, 108, 124, 2 ** 20]) {
    const header = bmp({ length: Math.min(length, 1_000) });
    header.writeUInt32LE(length, 14);
    images[`a header of ${length} bytes`] = header;
  }
  return images;
}

async function webps(): Promise<Images> {
  const badge = picture('badge.webp');
  const riff = (...chunks: Buffer[]) => {
    const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
    const head = Buffer.from('RIFF\0\0\0\0');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const piece = (name: string, body: Uint8Array, length = body.length) => {
    const head = Buffer.from(`${name}\0\0\0\0`);
    head.writeUInt32LE(length >>> 0, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const canvas = (flags: number, width: number, height: number) => {
    const size = [width - 1, height - 1].flatMap((side) => [
      side & 255,
      (side >> 8) & 255,
      (side >> 16) & 255,
    ]);
    return piece('VP8X', Buffer.from([flags, 0, 0, 0, ...size]));
  };
  const ANIMATED = 2;
  const LOOP = piece('ANIM', Buffer.alloc(6));
  const first = badge.subarray(12);
  const pixel = (await sharp(badge).resize(1, 1).webp({ lossless: true }).toBuffer()).subarray(12);
  const frame = piece('ANMF', Buffer.concat([Buffer.alloc(16), pixel]));
  const sized = (at: number, value: number) => {
    const copy = Buffer.from(badge);
    copy.writeUInt32LE(value >>> 0, at);
    return copy;
  };
  return {
    'valid: an animation of 120,000 frames': riff(
      canvas(ANIMATED, 1, 1),
      LOOP,
      Buffer.alloc(120_000 * frame.length, frame),
    ),
    'a frame with 120,000 others in it': riff(
      canvas(ANIMATED, 1, 1),
      LOOP,
      piece('ANMF', Buffer.concat([Buffer.alloc(16), pixel, Buffer.alloc(120_000 * frame.length, frame)])),
    ),
    'a RIFF of 0 bytes': sized(4, 0),
    'a RIFF of 4 GiB': sized(4, 2 ** 32 - 1),
    'a chunk of 0 bytes': sized(16, 0),
    'a chunk of 1 byte': sized(16, 1),
    'a chunk of 4 GiB': sized(16, 2 ** 32 - 1),
    'no chunks': riff(),
    'only a canvas': riff(canvas(0, 8, 8)),
    'a canvas of another size': riff(canvas(0, 9, 9), first),
    'a canvas of 16,777,216 × 16,777,216': riff(canvas(0, 2 ** 24, 2 ** 24), first),
    'an animation without frames': riff(canvas(ANIMATED, 8, 8), LOOP),
    'an animation with an empty frame': riff(canvas(ANIMATED, 8, 8), LOOP, piece('ANMF', Buffer.alloc(16))),
    'an animation with a frame outside': riff(
      canvas(ANIMATED, 8, 8),
      LOOP,
      piece('ANMF', Buffer.alloc(64, 255)),
    ),
    'a lossless image of nothing': riff(piece('VP8L', Buffer.from([0x2f, 0, 0, 0, 0]))),
    'a lossless image of 16,384 × 16,384': riff(piece('VP8L', Buffer.from([0x2f, 255, 255, 255, 15, 0, 0]))),
    'a lossy image of nothing': riff(piece('VP8 ', Buffer.from('9d012a00000000', 'hex'))),
    'alpha of nonsense': riff(canvas(0x10, 8, 8), piece('ALPH', Buffer.alloc(40, 255)), first),
    'an unknown chunk': riff(piece('ABCD', Buffer.alloc(5)), first),
    'a chunk of odd length without padding': riff(Buffer.from('ABCD\x01\0\0\0x'), first),
    '50,000 unknown chunks': riff(...Array<Buffer>(50_000).fill(piece('ABCD', Buffer.alloc(2))), first),
    ...everyCut('a WebP', badge),
  };
}

/** The images of all formats but PNG. */
export async function otherImages(): Promise<Images> {
  const named = (format: string, images: Images) =>
    Object.entries(images).map(([name, file]) => {
      const [, valid = '', rest = name] = /^(valid: )?(.*)$/s.exec(name) ?? [];
      return [`${valid}${format}: ${rest}`, file] as const;
    });
  return Object.fromEntries([
    ...named('JPEG', await jpegs()),
    ...named('GIF', gifs()),
    ...named('BMP', bmps()),
    ...named('WebP', await webps()),
  ]);
}
