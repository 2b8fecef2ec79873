// Paints the stage. A browser would lay out a large SVG on the thread that answers to the person; this is another one.

import type { PaintMessage, Scene } from './messages.ts';
import { paint } from './painter.ts';
import { type Paintable, paintable, shapesOf } from './svg-shapes.ts';
import type { Size } from './viewport.ts';

let canvas: OffscreenCanvas | undefined;
let scene: Scene | undefined;
let picture: ImageBitmap | undefined;
let drawing: Paintable[] = [];
let isDue = false;
/** Pictures and drawings, in the order in which they came: a large one must not overtake the small one after it. */
let loading = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<PaintMessage>) => {
  canvas = data.canvas ?? canvas;
  scene = data.scene ?? scene;
  if (data.drawing !== undefined || data.picture !== undefined) loading = loading.then(() => load(data));
  showSoon();
});

async function load(message: PaintMessage): Promise<void> {
  if (message.picture !== undefined) await loadPicture(message.picture);
  if (message.drawing === null) drawing = [];
  else if (message.drawing !== undefined) drawing = shapesOf(await message.drawing.text()).map(paintable);
  showSoon();
}

async function loadPicture(source: Blob): Promise<void> {
  // One that cannot be read leaves the stage empty; the worker that traces says why.
  const next = await createImageBitmap(source).catch(() => undefined);
  picture?.close();
  picture = next;
  if (next !== undefined) postMessage({ width: next.width, height: next.height } satisfies Size);
}

/** Once for all messages that are waiting. */
function showSoon(): void {
  if (!isDue) setTimeout(show);
  isDue = true;
}

function show(): void {
  isDue = false;
  if (canvas !== undefined && scene !== undefined) paint(canvas, scene, { picture, drawing });
}
