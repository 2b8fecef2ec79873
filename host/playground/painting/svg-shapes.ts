import { type Node, nodesOf } from './path-data.ts';

/** One `<path>`. */
export interface Shape {
  data: string;
  fill: string;
  opacity: number;
}

const PATH = /<path([^>]*)\/>/g;

/** The shapes of a drawing, in painting order. The engine writes paths and nothing else. */
export function shapesOf(svg: string): Shape[] {
  return Array.from(svg.matchAll(PATH), ([, attributes = '']) => ({
    data: attribute(attributes, 'd') ?? '',
    fill: attribute(attributes, 'fill') ?? '#000',
    opacity: Number(attribute(attributes, 'fill-opacity') ?? 1),
  }));
}

function attribute(text: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A shape with all that is needed to paint it. */
export interface Paintable extends Shape {
  path: Path2D;
  nodes: Node[];
  box: Box;
}

export function paintable(shape: Shape): Paintable {
  const nodes = nodesOf(shape.data);
  return { ...shape, path: new Path2D(shape.data), nodes, box: boxOf(nodes) };
}

/** Encloses nodes and handles, and so lines and cubics. */
function boxOf(nodes: Node[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const add = (x: number, y: number, reach: number) => {
    box.left = Math.min(box.left, x - reach);
    box.top = Math.min(box.top, y - reach);
    box.right = Math.max(box.right, x + reach);
    box.bottom = Math.max(box.bottom, y + reach);
  };
  let before = nodes[0];
  for (const node of nodes) {
    // An arc of at most half a turn leaves the box of its ends by at most half their distance.
    const reach = before === undefined ? 0 : Math.hypot(node.x - before.x, node.y - before.y) / 2;
    add(node.x, node.y, reach);
    for (let at = 0; at < node.handles.length; at += 2)
      add(Number(node.handles[at]), Number(node.handles[at + 1]), 0);
    before = node;
  }
  return box;
}
