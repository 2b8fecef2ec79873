import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '../../host/playground/painting/path-data.ts';
import { parseShapes } from '../../host/playground/painting/svg-shapes.ts';
import { fit, keepVisible, zoom } from '../../host/playground/painting/viewport.ts';

const points = (data: string) => parsePath(data).map(({ x, y }) => [x, y]);

describe('the nodes of a path', () => {
  const cases: [data: string, expected: number[][]][] = [
    [
      'M1 2h3v4l-1-1z',
      [
        [1, 2],
        [4, 2],
        [4, 6],
        [3, 5],
      ],
    ],
    [
      'M1 2 3 4m1 1 2 2',
      [
        [1, 2],
        [3, 4],
        [4, 5],
        [6, 7],
      ],
    ],
    [
      'M10 10h5zm1 1h1',
      [
        [10, 10],
        [15, 10],
        [11, 11],
        [12, 11],
      ],
    ],
    [
      'M.5-.5l.5.5 1e1-2',
      [
        [0.5, -0.5],
        [1, 0],
        [11, -2],
      ],
    ],
    [
      'M0 0a5 5 0 0 1 10 0',
      [
        [0, 0],
        [10, 0],
      ],
    ],
    [
      'M5 5H1V2L3 4',
      [
        [5, 5],
        [1, 5],
        [1, 2],
        [3, 4],
      ],
    ],
  ];
  for (const [data, expected] of cases) test(data, () => assert.deepEqual(points(data), expected));

  test('a node has control points on both sides; `s` mirrors the previous one', () => {
    assert.deepEqual(parsePath('M0 0c1 0 2 1 3 1s3 2 4 4'), [
      { x: 0, y: 0, handles: [1, 0] },
      { x: 3, y: 1, handles: [2, 1, 4, 1] },
      { x: 7, y: 5, handles: [6, 3] },
    ]);
  });

  test('both nodes of a quadratic have its control point; `s` does not mirror it', () => {
    assert.deepEqual(parsePath('M0 0q1 2 3 1s1 1 2 0'), [
      { x: 0, y: 0, handles: [1, 2] },
      { x: 3, y: 1, handles: [1, 2, 3, 1] },
      { x: 5, y: 1, handles: [4, 2] },
    ]);
  });

  test('an unknown command is an error', () => {
    assert.throws(() => parsePath('M0 0t1 1'), /unknown path command: t/);
  });
});

test('the shapes of an SVG', () => {
  const svg = '<svg xmlns="x"><path fill="#c00" fill-opacity=".5" d="M0 0h2z"/><path d="M1 1h1z"/></svg>';
  assert.deepEqual(parseShapes(svg), [
    { data: 'M0 0h2z', fill: '#c00', gradient: undefined, opacity: 0.5 },
    { data: 'M1 1h1z', fill: '#000', gradient: undefined, opacity: 1 },
  ]);
});

test('a path that is painted again is two shapes', () => {
  const svg = `<svg xmlns="x"><defs><linearGradient id="a" x2="8"><stop/><stop offset="1"/></linearGradient></defs
    ><g fill="url(#a)"><path id="p" d="M0 0h2z"/></g><use href="#p" fill="#c00"/><path d="M1 1h1z"/></svg>`;
  const shapes = parseShapes(svg);
  const seen = shapes.map(({ data, fill, gradient }) => [data, fill, gradient?.to]);
  assert.deepEqual(seen, [
    ['M0 0h2z', 'url(#a)', [8, 0]],
    ['M0 0h2z', '#c00', undefined],
    ['M1 1h1z', '#000', undefined],
  ]);
});

test('the gradients of an SVG', () => {
  const svg = `<svg xmlns="x"><defs><linearGradient id="a" gradientUnits="userSpaceOnUse" x1="-.5" y1="2" x2="8" y2="2"
    ><stop stop-color="#c00"/><stop offset=".25" stop-color="#102030" stop-opacity=".5"/></linearGradient
    ><radialGradient id="ab" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="matrix(2 .5-.5 1 7-8)"
    ><stop stop-color="#fff"/><stop offset="1"/></radialGradient
    ><radialGradient id="c" gradientUnits="userSpaceOnUse" cx="5" cy="6" r="4" fx="3.5"><stop/><stop offset="1"/></radialGradient></defs
    ><path fill="url(#ab)" d="M0 0h2z"/><path fill="url(#a)" d="M1 1h1z"/><path fill="url(#c)" d="M1 1h2z"/></svg>`;
  const [radial, linear, leaning] = parseShapes(svg.replaceAll(/\s*\n\s*/g, ' ').replaceAll(' >', '>')).map(
    (shape) => shape.gradient,
  );
  assert.deepEqual(radial, {
    from: [0, 0],
    to: [0, 0, 1],
    matrix: [2, 0.5, -0.5, 1, 7, -8],
    stops: [
      { offset: 0, color: '#ffffffff' },
      { offset: 1, color: '#000000ff' },
    ],
  });
  assert.deepEqual(linear, {
    from: [-0.5, 2],
    to: [8, 2],
    matrix: undefined,
    stops: [
      { offset: 0, color: '#cc0000ff' },
      { offset: 0.25, color: '#10203080' },
    ],
  });
  assert.deepEqual(
    [leaning?.from, leaning?.to],
    [
      [3.5, 6],
      [5, 6, 4],
    ],
  );
});

describe('the viewport', () => {
  const [picture, stage] = [
    { width: 100, height: 50 },
    { width: 500, height: 500 },
  ];

  test('fit centers the image', () => {
    const { scale, x, y } = fit(picture, stage);
    assert.ok(scale > 4 && scale < 5);
    assert.deepEqual([x + 50 * scale, y + 25 * scale], [250, 250]);
  });

  test('zoom keeps a point in place, up to a scale of 32', () => {
    const at = { x: 120, y: 80 };
    const before = { scale: 2, x: 10, y: 20 };
    const after = zoom(before, 1000, at, 0.1);
    assert.equal(after.scale, 32);
    const pointIn = (view: typeof before) => [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale];
    assert.deepEqual(pointIn(after), pointIn(before));
  });

  test('keeps a tenth of the viewer for the image', () => {
    const { x, y } = keepVisible({ scale: 1, x: -9999, y: 9999 }, picture, stage);
    assert.deepEqual([x, y], [-50, 450]);
  });
});
