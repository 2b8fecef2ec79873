// Paints the viewer. A browser would lay out a large SVG on the main thread and block the page; a worker does not.

import type { PaintMessage, Scene } from './messages.ts';
import { paint } from './painter.ts';
import { type PaintableShape, parseShapes, toPaintable } from './svg-shapes.ts';
import type { Size } from './viewport.ts';

let canvas: OffscreenCanvas | undefined;
let scene: Scene | undefined;
let image: ImageBitmap | undefined;
let shapes: PaintableShape[] = [];
let isScheduled = false;
/** Loads images and SVGs in the order of their messages, so that a small one cannot overtake a large one before it. */
let loading = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<PaintMessage>) => {
  canvas = data.canvas ?? canvas;
  scene = data.scene ?? scene;
  if (data.svg !== undefined || data.image !== undefined) loading = loading.then(() => load(data));
  schedulePaint();
});

async function load(message: PaintMessage): Promise<void> {
  if (message.image !== undefined) await loadImage(message.image);
  if (message.svg === null) shapes = [];
  else if (message.svg !== undefined) shapes = parseShapes(await message.svg.text()).map(toPaintable);
  schedulePaint();
}

async function loadImage(source: Blob): Promise<void> {
  // An unreadable image leaves the viewer empty; the trace worker reports the error.
  const next = await createImageBitmap(source).catch(() => undefined);
  image?.close();
  image = next;
  if (next !== undefined) postMessage({ width: next.width, height: next.height } satisfies Size);
}

/** Paints once for all pending messages. */
function schedulePaint(): void {
  if (!isScheduled) setTimeout(paintNow);
  isScheduled = true;
}

function paintNow(): void {
  isScheduled = false;
  if (canvas !== undefined && scene !== undefined) paint(canvas, scene, { image, shapes });
}
