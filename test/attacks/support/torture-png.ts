import { deflateSync } from 'node:zlib';
import {
  chunk,
  GRAY,
  GRAY_ALPHA,
  type Header,
  idat,
  iend,
  ihdr,
  PALETTE,
  PNG_SIGNATURE,
  png,
  RGB,
  RGBA,
  rows,
  uint32,
} from './png.ts';

/** Images by name. Those whose names begin with "valid" must be traced. */
export type Images = Record<string, Buffer>;

const SIZE = { width: 8, height: 8 };
const PALETTE_16 = chunk('PLTE', Buffer.alloc(48, 90));
const whole = (header: Header, ...extra: Buffer[]) => png(ihdr(header), ...extra, idat(rows(header)), iend);
const plain = whole(SIZE);
const MIB = 1024 * 1024;
/** 64 MiB of zeros in 64 KiB. */
const bomb = deflateSync(Buffer.alloc(64 * MIB));

/** All color types and depths of the standard. The rows of interlaced ones are too short, and thus invalid. */
function allTypes(): Images {
  const depths = { [GRAY]: [1, 2, 4, 8, 16], [RGB]: [8, 16], [PALETTE]: [1, 2, 4, 8] };
  const all = Object.entries({ ...depths, [GRAY_ALPHA]: [8, 16], [RGBA]: [8, 16] });
  const images: Images = {};
  for (const [type, list] of all)
    for (const depth of list) {
      const header = { ...SIZE, depth, colorType: Number(type) };
      const palette = Number(type) === PALETTE ? [PALETTE_16] : [];
      images[`valid type ${type} at ${depth} bits`] = whole(header, ...palette);
      images[`type ${type} at ${depth} bits, interlaced`] = whole({ ...header, interlace: 1 }, ...palette);
    }
  for (const depth of [0, 3, 5, 7, 9, 16, 32, 255])
    images[`RGB at ${depth} bits`] = whole({ ...SIZE, depth: depth === 16 ? 15 : depth });
  for (const colorType of [1, 5, 7, 255])
    images[`color type ${colorType}`] = png(ihdr({ ...SIZE, colorType }), idat(Buffer.alloc(999)), iend);
  return images;
}

/** A valid file cut at each chunk's start, after its length, its name and the first byte of its data. */
function truncated(): Images {
  const images: Images = {};
  for (let at = PNG_SIGNATURE.length; at < plain.length; at += plain.readUInt32BE(at) + 12)
    for (const more of [0, 4, 8, 9])
      images[`cut ${more} bytes into the chunk at ${at}`] = plain.subarray(0, at + more);
  images['without its last byte'] = plain.subarray(0, -1);
  return images;
}

function damaged(): Images {
  const data = rows(SIZE);
  const wrong = (name: string, body: Uint8Array, length?: number) =>
    chunk(name, body, length === undefined ? { crcXor: 1 } : { length });
  const withRows = (bytes: Buffer) => png(ihdr(SIZE), idat(bytes), iend);
  const stream = deflateSync(data);
  const changed = (at: number) => {
    const bytes = Buffer.from(stream);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    return png(ihdr(SIZE), chunk('IDAT', bytes), iend);
  };
  const header = ihdr(SIZE);
  const brokenHeader = Buffer.from(header);
  brokenHeader[header.length - 1] = (header.at(-1) ?? 0) ^ 1;
  return {
    'wrong checksum: IHDR': png(brokenHeader, idat(data), iend),
    'wrong checksum: IDAT': png(header, wrong('IDAT', stream), iend),
    'wrong checksum: IEND': png(header, idat(data), wrong('IEND', Buffer.alloc(0))),
    'wrong checksum: an optional chunk': png(header, wrong('tEXt', Buffer.from('a\0b')), idat(data), iend),
    'zlib: header': changed(0),
    'zlib: data': changed(4),
    'zlib: checksum': changed(stream.length - 1),
    'zlib: no stream': png(header, chunk('IDAT', Buffer.from('not zlib')), iend),
    'zlib: a dictionary': png(header, chunk('IDAT', Buffer.from('78bb0000000100', 'hex')), iend),
    'too few rows': withRows(data.subarray(0, data.length / 2)),
    'too many rows': withRows(Buffer.concat([data, data])),
    'a bomb of rows': png(header, chunk('IDAT', bomb), iend),
    'no IDAT': png(header, iend),
    'an empty IDAT': png(header, chunk('IDAT'), iend),
    'no IHDR': png(idat(data), iend),
    'two IHDR': png(header, ihdr({ width: 9000, height: 9000 }), idat(data), iend),
    'IHDR at the end': png(idat(data), header, iend),
    'IHDR too short': png(chunk('IHDR', Buffer.alloc(5)), idat(data), iend),
    'no IEND': png(header, idat(data)),
    'filter 5': withRows(Buffer.from(data.map((byte, at) => (at % 25 === 0 ? 5 : byte)))),
    'compression 1': whole({ ...SIZE, compression: 1 }),
    'filter method 1': whole({ ...SIZE, filter: 1 }),
    'interlace 2': whole({ ...SIZE, interlace: 2 }),
    'length of 2 GiB': png(header, wrong('IDAT', stream, 0x7fffffff), iend),
    'length of 4 GiB': png(header, wrong('IDAT', stream, 0xffffffff), iend),
    'length of 0': png(header, wrong('IDAT', stream, 0), iend),
    'unknown critical chunk': png(header, chunk('ABCD', Buffer.alloc(3)), idat(data), iend),
    'a chunk name of NULs': png(header, chunk('\0\0\0\0', Buffer.alloc(3)), idat(data), iend),
  };
}

function sizes(): Images {
  const sized = (width: number, height: number) => png(ihdr({ width, height }), idat(rows(SIZE)), iend);
  return {
    '0 × 8': sized(0, 8),
    '8 × 0': sized(8, 0),
    '2³¹ × 1': sized(2 ** 31, 1),
    '1 × 2³²−1': sized(1, 2 ** 32 - 1),
    '65,536 × 65,536': sized(65_536, 65_536),
    '16,385 × 1': sized(16_385, 1),
    '40,000,001 pixels': sized(6_451, 6_201),
    '16,384 × 2,441, without the rows': sized(16_384, 2_441),
    'valid: 1 × 1': whole({ width: 1, height: 1 }),
    'valid: 16,384 × 1': whole({ width: 16_384, height: 1, depth: 1, colorType: GRAY }),
    'valid: 1 × 16,384': whole({ width: 1, height: 16_384, depth: 1, colorType: GRAY }),
  };
}

function extraChunks(): Images {
  const header = ihdr(SIZE);
  const paletted = { ...SIZE, depth: 8, colorType: PALETTE };
  const text = (name: string, head: string) =>
    chunk(name, Buffer.concat([Buffer.from(head, 'latin1'), bomb]));
  const withExtra = (...extra: Buffer[]) => png(header, ...extra, idat(rows(SIZE)), iend);
  const frameControl = (sequence: number, width: number, height: number) => {
    const numbers = [sequence, width, height, 0, 0].map(uint32);
    return chunk('fcTL', Buffer.concat([...numbers, Buffer.alloc(6)]));
  };
  const animation = (frames: number) => chunk('acTL', Buffer.concat([uint32(frames), uint32(0)]));
  const stream = deflateSync(rows(SIZE));
  return {
    'a palette without PLTE': whole(paletted),
    'an empty PLTE': whole(paletted, chunk('PLTE')),
    'a PLTE of 4 bytes': whole(paletted, chunk('PLTE', Buffer.alloc(4))),
    'a PLTE of 257 colors': whole(paletted, chunk('PLTE', Buffer.alloc(771))),
    'a PLTE in a gray image': whole({ ...SIZE, colorType: GRAY }, PALETTE_16),
    'an index beyond PLTE': png(
      ihdr(paletted),
      chunk('PLTE', Buffer.alloc(3)),
      idat(Buffer.alloc(72, 200).map((byte, at) => (at % 9 === 0 ? 0 : byte))),
      iend,
    ),
    'tRNS before PLTE': whole(paletted, chunk('tRNS', Buffer.alloc(16)), PALETTE_16),
    'tRNS of 300 bytes': whole(paletted, PALETTE_16, chunk('tRNS', Buffer.alloc(300))),
    'tRNS in RGBA': whole({ ...SIZE, colorType: RGBA }, chunk('tRNS', Buffer.alloc(6))),
    'gamma of 0': withExtra(chunk('gAMA', uint32(0))),
    'chromaticities of 0': withExtra(chunk('cHRM', Buffer.alloc(32))),
    'an ICC profile that expands to 64 MiB': withExtra(text('iCCP', 'p\0\0')),
    'an ICC profile of nonsense': withExtra(
      chunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(Buffer.alloc(999, 7))])),
    ),
    'a text that expands to 64 MiB': withExtra(text('zTXt', 'p\0\0')),
    'an international text that expands to 64 MiB': withExtra(text('iTXt', 'p\0\x01\0\0\0')),
    'EXIF of nonsense': withExtra(chunk('eXIf', Buffer.from('MM\0*\xff\xff\xff\xff', 'latin1'))),
    '50,000 optional chunks': withExtra(...Array(50_000).fill(chunk('tEXt', Buffer.from('a\0b')))),
    '5,000 different texts': withExtra(
      ...Array.from({ length: 5_000 }, (_, i) => chunk('tEXt', Buffer.from(`k${i}\0v`))),
    ),
    'IDAT in chunks of a byte': png(
      header,
      ...Array.from(stream, (byte) => chunk('IDAT', [byte] as never)),
      iend,
    ),
    'another chunk between IDAT': png(
      header,
      chunk('IDAT', stream.subarray(0, 9)),
      chunk('tEXt', Buffer.from('a\0b')),
      chunk('IDAT', stream.subarray(9)),
      iend,
    ),
    'valid: an animation': png(header, animation(1), frameControl(0, 8, 8), chunk('IDAT', stream), iend),
    'an animation of 0 frames': withExtra(animation(0)),
    'an animation of 2³²−1 frames': withExtra(animation(2 ** 32 - 1), frameControl(0, 9_999, 9_999)),
  };
}

function polyglots(): Images {
  const zip = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex');
  const after = (bytes: Buffer | string) => Buffer.concat([plain, Buffer.from(bytes as string)]);
  return {
    'a ZIP after a PNG': after(zip),
    'a script after a PNG': after('<script>alert(1)</script><?php system($_GET["c"]); ?>'),
    'a PNG after a PNG': after(plain),
    'a JPEG with a PNG signature': Buffer.concat([PNG_SIGNATURE, Buffer.from('ffd8ffe000104a464946', 'hex')]),
    'a MNG': Buffer.from('8a4d4e470d0a1a0a0000001c4d484452', 'hex'),
    'an SVG with a PNG in it': Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/png;base64,${plain.toString('base64')}"/></svg>`,
    ),
    'a PostScript file': Buffer.from('%!PS-Adobe-3.0\n(/etc/passwd) (r) file'),
    'an ImageMagick script': Buffer.from(
      'push graphic-context\nimage over 0,0 0,0 "|ls"\npop graphic-context',
    ),
    'a TIFF': Buffer.from('49492a0008000000', 'hex'),
    'a PDF': Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'),
    'an AVIF': Buffer.from('0000001c66747970617669660000000061766966', 'hex'),
  };
}

export const PNG_IMAGES: Images = {
  ...allTypes(),
  ...truncated(),
  ...damaged(),
  ...sizes(),
  ...extraChunks(),
  ...polyglots(),
};
