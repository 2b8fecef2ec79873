// The small PNG decoder gives exactly sharp's pixels, or none.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { decodeRaster } from '../../host/image/decode.mjs';
import { sizeInHeader } from '../../host/image/format.ts';
import { SmallPngDecoder } from '../../host/image/small-png.mjs';
import { chunk, idat, iend, ihdr, png, rows, uint32 } from '../attacks/support/png.ts';
import { PNG_IMAGES } from '../attacks/support/torture-png.ts';
import { picture } from '../http/service.ts';
import { anyPng, damaged, seeded, writtenPng } from './images.ts';

const LIMITS = { maxPixels: 4e7, processingTimeoutMs: 30_000 };
const MODULE = new URL('../../host/image/png/png.wasm', import.meta.url).href;
const decoder = new SmallPngDecoder(MODULE);

/** A copy of the pixels; undefined if the decoder leaves the file to sharp. */
function decodeSmall(file: Buffer): Buffer | undefined {
  const size = sizeInHeader(file, 'png');
  const decoded = size && decoder.decode(file, 'png', size);
  return decoded && Buffer.from(decoded.data);
}

/** Whether the file was decoded. Throws if sharp refuses it, or gives other pixels. */
async function isDecodedAsBySharp(file: Buffer, name: string): Promise<boolean> {
  const decoded = decodeSmall(file);
  if (decoded === undefined) return false;
  const expected = await decodeRaster(file, LIMITS).catch((error) => assert.fail(`sharp: ${error}: ${name}`));
  assert.deepEqual({ width: expected.width, height: expected.height }, sizeInHeader(file, 'png'), name);
  assert.ok(decoded.equals(expected.data), `other pixels: ${name}`);
  return true;
}

test('files that sharp has written are decoded to its pixels', async () => {
  for (let seed = 0; seed < 150; seed++)
    assert.ok(await isDecodedAsBySharp(await writtenPng(seeded(seed)), `seed ${seed}`), `seed ${seed}`);
});

test('files of every kind are decoded to the same pixels, or not at all', async () => {
  let decoded = 0;
  for (let seed = 0; seed < 2_000; seed++)
    decoded += Number(await isDecodedAsBySharp(anyPng(seeded(seed)), `seed ${seed}`));
  assert.ok(decoded > 500, `${decoded} were decoded`);
});

test('damaged files are decoded to the same pixels, or not at all', async () => {
  let decoded = 0;
  for (let seed = 0; seed < 2_000; seed++) {
    const pick = seeded(seed);
    const file = seed % 10 === 0 ? await writtenPng(pick) : anyPng(pick);
    decoded += Number(await isDecodedAsBySharp(damaged(file, pick), `seed ${seed}`));
  }
  assert.ok(decoded > 10, `${decoded} were decoded`);
});

test('hostile files are decoded to the same pixels, or not at all', async () => {
  for (const [name, file] of Object.entries(PNG_IMAGES)) await isDecodedAsBySharp(file, name);
});

const SIZE = { width: 16, height: 16 };
const withChunk = (...extra: Buffer[]) => png(ihdr(SIZE), ...extra, idat(rows(SIZE)), iend);
const whole = (header: Parameters<typeof ihdr>[0]) => png(ihdr(header), idat(rows(header)), iend);

test('a plain file is decoded', () => assert.ok(decodeSmall(withChunk())));

const LEFT_TO_SHARP = {
  'a color profile': withChunk(chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync('profile')]))),
  'an EXIF orientation': withChunk(chunk('eXIf', Buffer.from('MM\0*\0\0\0\x08\0\0', 'latin1'))),
  'a profile in a text': withChunk(chunk('tEXt', 'Raw profile type exif\0\n')),
  'an animation': withChunk(chunk('acTL', Buffer.concat([uint32(1), uint32(0)]))),
  '16 bits per sample': whole({ ...SIZE, depth: 16 }),
  'an interlaced file': png(ihdr({ ...SIZE, interlace: 1 }), idat(Buffer.alloc(2_000)), iend),
  'more pixels than pay': whole({ width: 513, height: 512 }),
  'a wrong checksum of an optional chunk': withChunk(chunk('tEXt', 'a\0b', { crcXor: 1 })),
  'two bytes after the end': Buffer.concat([withChunk(), Buffer.alloc(2)]),
  'a file of more bytes than pixels take': withChunk(chunk('tEXt', Buffer.alloc(3 * 1024 * 1024, 65))),
};

for (const [name, file] of Object.entries(LEFT_TO_SHARP))
  test(`sharp decodes ${name}`, () => assert.equal(decodeSmall(file), undefined));

test('other formats and a size that is not the file’s are left to sharp', () => {
  const file = picture('logo.png');
  assert.equal(decoder.decode(file, 'webp', { width: 256, height: 256 }), undefined);
  assert.equal(decoder.decode(file, 'png', { width: 256, height: 255 }), undefined);
  assert.ok(decoder.decode(file, 'png', { width: 256, height: 256 }));
});

/**
 * A module whose `decode` ends with a trap when an instance calls it for the first time:
 *
 *     (memory (export "memory") 1)
 *     (global $calls (mut i32) (i32.const 0))
 *     (func (export "reserve") (param i32) (result i32) (i32.const 8))
 *     (func (export "decode") (param i32) (param i32) (result i32)
 *       (if (i32.eqz (global.get $calls)) (then (global.set $calls (i32.const 1)) (unreachable)))
 *       (i32.const 8))
 */
const TRAPS_ONCE = Buffer.from(
  '0061736d01000000010c0260017f017f60027f7f017f030302000105030100010606017f0141000b071d' +
    '03066d656d6f7279020007726573657276650000066465636f646500010a1602040041080b0f00230045' +
    '044041012400000b41080b',
  'hex',
);

test('a trap is no error, and the instance is not used again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  try {
    const file = join(folder, 'traps.wasm');
    writeFileSync(file, TRAPS_ONCE);
    const trapping = new SmallPngDecoder(pathToFileURL(file).href);
    for (let i = 0; i < 3; i++) assert.equal(trapping.decode(Buffer.alloc(8), 'png', SIZE), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
