import type { Scene } from './messages.ts';
import type { Paintable } from './svg-shapes.ts';

export interface Content {
  picture: ImageBitmap | undefined;
  drawing: readonly Paintable[];
}

/** Sides of the squares that stand for transparency, and of a node's mark, in CSS pixels. */
const SQUARE_PX = 8;
const NODE_PX = 5;
const SPLIT_PX = 2;
/** Of the light lines on both sides of the split, which set it off from dark pictures. */
const HALO_PX = 1;
const COLORS = {
  light: '#fff',
  dark: '#e4e4e4',
  outline: '#d6006c',
  node: '#fff',
  handle: '#0b57a4',
  split: '#0b57a4',
};
/** Nodes are marked where they are this far apart at least, on average; else the marks would cover all. */
const NODES_FROM_SCALE = 0.5;

type Context = OffscreenCanvasRenderingContext2D;

/** One picture of the stage: left of the split the picture, right of it the drawing, then what is laid over them. */
export function paint(canvas: OffscreenCanvas, scene: Scene, content: Content): void {
  const { width, height, density } = scene;
  const [columns, rows] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== columns || canvas.height !== rows)
    Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.resetTransform();
  context.clearRect(0, 0, columns, rows);
  if (content.picture === undefined) return;
  context.scale(density, density);
  paintSquares(context, scene, content.picture);
  within(context, [0, scene.splitPx], scene, () => paintPicture(context, scene, content.picture));
  within(context, [scene.splitPx, width], scene, () => paintDrawing(context, scene, content.drawing));
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

function paintSquares(context: Context, { view }: Scene, { width, height }: ImageBitmap): void {
  const tile = new OffscreenCanvas(2 * SQUARE_PX, 2 * SQUARE_PX);
  const squares = tile.getContext('2d');
  if (squares === null) return;
  squares.fillStyle = COLORS.light;
  squares.fillRect(0, 0, tile.width, tile.height);
  squares.fillStyle = COLORS.dark;
  squares.fillRect(0, 0, SQUARE_PX, SQUARE_PX);
  squares.fillRect(SQUARE_PX, SQUARE_PX, SQUARE_PX, SQUARE_PX);
  context.fillStyle = context.createPattern(tile, 'repeat') ?? COLORS.light;
  context.fillRect(view.x, view.y, width * view.scale, height * view.scale);
}

/** Paints between two columns of the stage, in picture coordinates. */
function within(context: Context, [left, right]: [number, number], scene: Scene, work: () => void): void {
  const { x, y, scale } = scene.view;
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, scene.height);
  context.clip();
  context.translate(x, y);
  context.scale(scale, scale);
  work();
  context.restore();
}

function paintPicture(context: Context, { view, density }: Scene, picture: ImageBitmap | undefined): void {
  if (picture === undefined) return;
  // Enlarged, pixels are to be seen as what they are.
  context.imageSmoothingEnabled = view.scale * density < 1;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0);
}

function paintDrawing(context: Context, scene: Scene, drawing: readonly Paintable[]): void {
  const visible = drawing.filter((shape) => isVisible(shape, scene));
  for (const { path, fill, opacity } of visible) {
    context.globalAlpha = opacity;
    context.fillStyle = fill;
    context.fill(path);
  }
  context.globalAlpha = 1;
  if (scene.outlines) paintOutlines(context, scene, visible);
  if (scene.nodes && scene.view.scale >= NODES_FROM_SCALE) paintNodes(context, scene, visible);
}

function isVisible({ box }: Paintable, { width, height, view, splitPx }: Scene): boolean {
  const [left, right] = [box.left * view.scale + view.x, box.right * view.scale + view.x];
  const [top, bottom] = [box.top * view.scale + view.y, box.bottom * view.scale + view.y];
  return right >= splitPx && left <= width && bottom >= 0 && top <= height;
}

function paintOutlines(context: Context, { view }: Scene, shapes: Paintable[]): void {
  context.lineWidth = 1 / view.scale;
  context.strokeStyle = COLORS.outline;
  for (const { path } of shapes) context.stroke(path);
}

function paintNodes(context: Context, scene: Scene, shapes: Paintable[]): void {
  const side = NODE_PX / scene.view.scale;
  const nodes = shapes.flatMap((shape) => shape.nodes);
  const [handles, marks] = [new Path2D(), new Path2D()];
  for (const { x, y, handles: ends } of nodes) {
    marks.rect(x - side / 2, y - side / 2, side, side);
    for (let at = 0; at < ends.length; at += 2) {
      handles.moveTo(x, y);
      handles.lineTo(Number(ends[at]), Number(ends[at + 1]));
    }
  }
  context.lineWidth = 1 / scene.view.scale;
  context.strokeStyle = COLORS.handle;
  context.stroke(handles);
  context.fillStyle = COLORS.node;
  context.fill(marks);
  context.stroke(marks);
}
