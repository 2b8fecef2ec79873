import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overWhite, psnr, similarity } from '../../scripts/bench/engines/similarity.mjs';

const SIDE = 24;
const picture = (level: (x: number, y: number) => number) => {
  const rgba = new Uint8Array(SIDE * SIDE * 4).fill(255);
  for (let i = 0; i < SIDE * SIDE; i++) rgba.fill(level(i % SIDE, Math.floor(i / SIDE)), i * 4, i * 4 + 3);
  return rgba;
};
const rings = picture((x, y) => 128 + 100 * Math.sin(Math.hypot(x - 9, y - 14)));

test('equal pictures are as near as can be', () => {
  assert.equal(psnr(rings, rings), 99);
  assert.equal(similarity(rings, rings, SIDE, SIDE), 1);
});

test('one level everywhere is 48.13 dB', () => {
  const shifted = rings.map((level, i) => (i % 4 === 3 ? level : level + 1));
  assert.ok(Math.abs(psnr(rings, shifted) - 20 * Math.log10(255)) < 1e-9);
});

test('translucent pixels are seen on white', () => {
  const over = overWhite(Uint8Array.of(0, 100, 255, 51, 9, 9, 9, 0, 1, 2, 3, 255));
  assert.deepEqual([...over], [204, 224, 255, 255, 255, 255, 255, 255, 1, 2, 3, 255]);
});

/** Z. Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity", 2004, window by window. */
function byDefinition(a: Uint8Array, b: Uint8Array): number {
  const values: number[] = [];
  for (let y = 0; y + 7 <= SIDE; y++) {
    for (let x = 0; x + 7 <= SIDE; x++) {
      const at = Array.from({ length: 49 }, (_, i) => ((y + Math.floor(i / 7)) * SIDE + x + (i % 7)) * 4);
      const [u, v] = [at.map((i) => a[i] as number), at.map((i) => b[i] as number)];
      const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / 49;
      const [mu, mv] = [mean(u), mean(v)];
      const covariance = (p: number[], mp: number, q: number[], mq: number) =>
        p.reduce((sum, one, i) => sum + (one - mp) * ((q[i] as number) - mq), 0) / 49;
      const [c1, c2] = [2.55 ** 2, 7.65 ** 2];
      const top = (2 * mu * mv + c1) * (2 * covariance(u, mu, v, mv) + c2);
      values.push(
        top / ((mu * mu + mv * mv + c1) * (covariance(u, mu, u, mu) + covariance(v, mv, v, mv) + c2)),
      );
    }
  }
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

test('the structural similarity is that of its definition', () => {
  const other = picture((x, y) => 120 + 60 * Math.sin(Math.hypot(x - 8, y - 12)) + ((x * 7 + y * 3) % 11));
  const found = similarity(rings, other, SIDE, SIDE) ?? 0;
  assert.ok(Math.abs(found - byDefinition(rings, other)) < 1e-4, String(found));
  assert.ok(found < 0.9);
  assert.equal(similarity(rings, rings, 6, 6), undefined);
});
