import assert from 'node:assert/strict';
import { test } from 'node:test';
import { residual } from '../../scripts/bench/engines/residual.mjs';

const [WIDTH, HEIGHT] = [40, 30];

/** A gray picture with a rectangle of another gray. */
function picture(
  gray: number,
  rectangle?: [x: number, y: number, width: number, height: number, gray: number],
) {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [left, top, width, height, inside] = rectangle ?? [0, 0, 0, 0, 0];
    const [x, y] = [(i % WIDTH) - left, Math.floor(i / WIDTH) - top];
    const isInside = x >= 0 && x < width && y >= 0 && y < height;
    rgba.fill(isInside ? inside : gray, 4 * i, 4 * i + 3);
  }
  return rgba;
}

const compare = (a: Uint8Array, b: Uint8Array) => residual(a, b, WIDTH, HEIGHT);

test('equal pictures have no residual', () => {
  const { above, worst, noise } = compare(picture(90), picture(90));
  assert.deepEqual({ above, worst, noise }, { above: 0, worst: [], noise: 5 });
});

test('a missing shape is the worst place', () => {
  const { above, worst } = compare(picture(90, [7, 9, 6, 5, 200]), picture(90));
  assert.equal(above, 30 / (WIDTH * HEIGHT));
  const places = worst.map(({ excess: _, ...place }) => place);
  assert.deepEqual(places, [{ x: 7, y: 9, width: 6, height: 5 }]);
});

test('places at the two ends of a row are apart', () => {
  const both = picture(90, [0, 10, 5, 5, 200]);
  both.set(
    picture(90, [35, 9, 5, 5, 200]).subarray(4 * (9 * WIDTH + 20), 4 * (9 * WIDTH + 40)),
    4 * (9 * WIDTH + 20),
  );
  assert.equal(compare(both, picture(90)).worst.length, 2);
});

test('what the options ask to simplify is no error', () => {
  assert.equal(compare(picture(90, [7, 9, 3, 3, 200]), picture(90)).above, 0, 'a speckle');
  assert.equal(compare(picture(90, [7, 9, 6, 5, 95]), picture(90)).above, 0, 'a faint step');
  assert.ok(compare(picture(90, [7, 9, 4, 1, 200]), picture(90)).above > 0, 'a stroke is no speckle');
});

test('noise is measured where the drawing is flat', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const noisy = picture(128).map((level, i) => (i % 4 === 3 ? level : Math.round(level + 12 * normal())));
  const { above, noise } = compare(noisy, picture(128));
  assert.ok(Math.abs(noise - 13) < 1, `${noise}`);
  assert.ok(above < 0.01, `${above}`);
});
