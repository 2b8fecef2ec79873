import { attribute, type Gradient, parseGradients } from './gradients.ts';
import { type PathNode, parsePath } from './path-data.ts';

/** A `<path>` element, or one painted again. */
export interface Shape {
  data: string;
  fill: string;
  gradient: Gradient | undefined;
  opacity: number;
}

const ELEMENT = /<(g|path|use)([^>]*)>/g;

/**
 * The shapes of an SVG, in painting order. The engine writes only paths, and the gradients that fill them. A group gives its fill to the
 * path in it; `<use>` paints a path again.
 */
export function parseShapes(svg: string): Shape[] {
  const gradients = parseGradients(svg);
  const paths = new Map<string, string>();
  const shapes: Shape[] = [];
  let inherited: string | undefined;
  for (const [, name, attributes = ''] of svg.matchAll(ELEMENT)) {
    const fill = attribute(attributes, 'fill') ?? inherited ?? '#000';
    inherited = name === 'g' ? fill : undefined;
    if (name === 'g') continue;
    const data = attribute(attributes, 'd') ?? paths.get(attribute(attributes, 'href')?.slice(1) ?? '') ?? '';
    const id = attribute(attributes, 'id');
    if (id !== undefined) paths.set(id, data);
    shapes.push({
      data,
      fill,
      gradient: gradients.get(/^url\(#(.*)\)$/.exec(fill)?.[1] ?? ''),
      opacity: Number(attribute(attributes, 'fill-opacity') ?? 1),
    });
  }
  return shapes;
}

export interface BoundingBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A shape, prepared for painting. */
export interface PaintableShape extends Shape {
  path: Path2D;
  nodes: PathNode[];
  box: BoundingBox;
}

/** Prepares a shape for painting. */
export function toPaintable(shape: Shape): PaintableShape {
  const nodes = parsePath(shape.data);
  return { ...shape, path: new Path2D(shape.data), nodes, box: boundingBox(nodes) };
}

/** Contains the nodes and handles, and so all lines and cubic curves. */
function boundingBox(nodes: PathNode[]): BoundingBox {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const add = (x: number, y: number, margin: number) => {
    box.left = Math.min(box.left, x - margin);
    box.top = Math.min(box.top, y - margin);
    box.right = Math.max(box.right, x + margin);
    box.bottom = Math.max(box.bottom, y + margin);
  };
  let previous = nodes[0];
  for (const node of nodes) {
    // An arc of at most half a turn extends beyond the box of its ends by at most half their distance.
    const margin = previous === undefined ? 0 : Math.hypot(node.x - previous.x, node.y - previous.y) / 2;
    add(node.x, node.y, margin);
    for (let at = 0; at < node.handles.length; at += 2)
      add(Number(node.handles[at]), Number(node.handles[at + 1]), 0);
    previous = node;
  }
  return box;
}
