import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChunkJoiner } from '../../host/upload/chunk-joiner.ts';

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7 + (i >> 8)) & 255));

/** Pushes the bytes in chunks of these lengths, again and again, and returns what was written. */
function writtenOf(lengths: number[]) {
  const written: Buffer[] = [];
  const joiner = new ChunkJoiner((chunk) => written.push(chunk));
  for (let at = 0, i = 0; at < BYTES.length; i++) {
    const end = at + (lengths[i % lengths.length] ?? assert.fail());
    joiner.push(BYTES.subarray(at, end));
    at = end;
  }
  return { written, joiner };
}

describe('joining chunks', () => {
  for (const lengths of [[1], [1, 1023, 1024], [1500, 3], [1023], [70_000, 1], [0, 5]])
    test(`of ${lengths} bytes keeps all bytes in order`, () => {
      const { written, joiner } = writtenOf(lengths);
      joiner.flush();
      assert.ok(Buffer.concat(written).equals(BYTES));
    });

  test('of a byte each makes few of them', () => {
    const { written, joiner } = writtenOf([1]);
    joiner.flush();
    assert.ok(written.length < 10, `${written.length} chunks`);
  });

  test('leaves long ones as they are', () => {
    assert.deepEqual(
      writtenOf([50_000]).written.map(({ buffer }) => buffer),
      [BYTES.buffer, BYTES.buffer],
    );
  });

  test('delays none beyond those that have arrived', async () => {
    const { written, joiner } = writtenOf([50_000]);
    joiner.push(Buffer.from('last'));
    assert.equal(written.length, 2);
    await nextTurn();
    assert.equal(String(written[2]), 'last');
  });

  test('writes nothing that was dropped', async () => {
    const { written, joiner } = writtenOf([50_000]);
    joiner.push(Buffer.from('last'));
    joiner.drop();
    await nextTurn();
    assert.equal(written.length, 2);
  });
});
