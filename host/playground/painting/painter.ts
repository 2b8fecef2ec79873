import { fillWithGradient } from './gradients.ts';
import type { Scene } from './messages.ts';
import type { PaintableShape } from './svg-shapes.ts';

/** What is painted in a scene. */
export interface Content {
  image: ImageBitmap | undefined;
  shapes: readonly PaintableShape[];
}

/** Side lengths of the checkerboard squares behind transparent pixels and of node markers, in CSS pixels. */
const SQUARE_PX = 8;
const NODE_PX = 5;
const SPLIT_PX = 2;
/** Width of the light border on both sides of the split line, which makes it visible on dark images. */
const HALO_PX = 1;
const COLORS = {
  light: '#fff',
  dark: '#e4e4e4',
  outline: '#d6006c',
  node: '#fff',
  handle: '#0b57a4',
  split: '#0b57a4',
};
/** Below this scale, node markers would cover the SVG, so they are hidden. */
const MIN_NODE_SCALE = 0.5;

type Context = OffscreenCanvasRenderingContext2D;

/** Paints a scene: the image left of the split, the SVG right of it, then outlines, nodes and the split line. */
export function paint(canvas: OffscreenCanvas, scene: Scene, content: Content): void {
  const { width, height, devicePixelRatio } = scene;
  const [columns, rows] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== columns || canvas.height !== rows)
    Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.resetTransform();
  context.clearRect(0, 0, columns, rows);
  if (content.image === undefined) return;
  context.scale(devicePixelRatio, devicePixelRatio);
  paintCheckerboard(context, scene, content.image);
  clipped(context, [0, scene.splitPx], scene, () => paintImage(context, scene, content.image));
  clipped(context, [scene.splitPx, width], scene, () => paintShapes(context, scene, content.shapes));
  paintSplit(context, scene.splitPx, height);
}

function paintSplit(context: Context, atPx: number, height: number): void {
  const line = (color: string, width: number) => {
    context.fillStyle = color;
    context.fillRect(atPx - width / 2, 0, width, height);
  };
  line(COLORS.light, SPLIT_PX + 2 * HALO_PX);
  line(COLORS.split, SPLIT_PX);
}

function paintCheckerboard(context: Context, { viewport }: Scene, { width, height }: ImageBitmap): void {
  const tile = new OffscreenCanvas(2 * SQUARE_PX, 2 * SQUARE_PX);
  const squares = tile.getContext('2d');
  if (squares === null) return;
  squares.fillStyle = COLORS.light;
  squares.fillRect(0, 0, tile.width, tile.height);
  squares.fillStyle = COLORS.dark;
  squares.fillRect(0, 0, SQUARE_PX, SQUARE_PX);
  squares.fillRect(SQUARE_PX, SQUARE_PX, SQUARE_PX, SQUARE_PX);
  context.fillStyle = context.createPattern(tile, 'repeat') ?? COLORS.light;
  context.fillRect(viewport.x, viewport.y, width * viewport.scale, height * viewport.scale);
}

/** Paints between two columns of the viewer, in image coordinates. */
function clipped(context: Context, [left, right]: [number, number], scene: Scene, work: () => void): void {
  const { x, y, scale } = scene.viewport;
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, scene.height);
  context.clip();
  context.translate(x, y);
  context.scale(scale, scale);
  work();
  context.restore();
}

function paintImage(
  context: Context,
  { viewport, devicePixelRatio }: Scene,
  image: ImageBitmap | undefined,
): void {
  if (image === undefined) return;
  // An enlarged image shows its pixels.
  context.imageSmoothingEnabled = viewport.scale * devicePixelRatio < 1;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0);
}

function paintShapes(context: Context, scene: Scene, shapes: readonly PaintableShape[]): void {
  const visible = shapes.filter((shape) => isVisible(shape, scene));
  for (const { path, fill, gradient, opacity } of visible) {
    context.globalAlpha = opacity;
    if (gradient !== undefined) {
      fillWithGradient(context, path, gradient);
      continue;
    }
    context.fillStyle = fill;
    context.fill(path);
  }
  context.globalAlpha = 1;
  if (scene.outlines) paintOutlines(context, scene, visible);
  if (scene.nodes && scene.viewport.scale >= MIN_NODE_SCALE) paintNodes(context, scene, visible);
}

function isVisible({ box }: PaintableShape, { width, height, viewport, splitPx }: Scene): boolean {
  const [left, right] = [box.left * viewport.scale + viewport.x, box.right * viewport.scale + viewport.x];
  const [top, bottom] = [box.top * viewport.scale + viewport.y, box.bottom * viewport.scale + viewport.y];
  return right >= splitPx && left <= width && bottom >= 0 && top <= height;
}

function paintOutlines(context: Context, { viewport }: Scene, shapes: PaintableShape[]): void {
  context.lineWidth = 1 / viewport.scale;
  context.strokeStyle = COLORS.outline;
  for (const { path } of shapes) context.stroke(path);
}

function paintNodes(context: Context, scene: Scene, shapes: PaintableShape[]): void {
  const side = NODE_PX / scene.viewport.scale;
  const nodes = shapes.flatMap((shape) => shape.nodes);
  const [handles, marks] = [new Path2D(), new Path2D()];
  for (const { x, y, handles: ends } of nodes) {
    marks.rect(x - side / 2, y - side / 2, side, side);
    for (let at = 0; at < ends.length; at += 2) {
      handles.moveTo(x, y);
      handles.lineTo(Number(ends[at]), Number(ends[at + 1]));
    }
  }
  context.lineWidth = 1 / scene.viewport.scale;
  context.strokeStyle = COLORS.handle;
  context.stroke(handles);
  context.fillStyle = COLORS.node;
  context.fill(marks);
  context.stroke(marks);
}
