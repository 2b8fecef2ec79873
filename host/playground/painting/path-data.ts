/** A node of a path and its control points, in image coordinates. */
export interface PathNode {
  x: number;
  y: number;
  /** The control points on both sides, as x, y pairs. */
  handles: number[];
}

/** The number of arguments of each command. */
const ARGUMENT_COUNTS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 7, z: 0 };
const TOKEN = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** The nodes of a path. Supports the commands that the engine writes, relative and absolute. */
export function parsePath(data: string): PathNode[] {
  const reader = new PathReader();
  let command = '';
  let numbers: number[] = [];
  for (const [token] of data.matchAll(TOKEN)) {
    if (/[a-z]/i.test(token.charAt(0))) {
      command = token;
      numbers = [];
    } else {
      numbers.push(Number(token));
    }
    const count = ARGUMENT_COUNTS[command.toLowerCase()];
    if (count === undefined) throw new Error(`unknown path command: ${command}`);
    if (numbers.length < count) continue;
    reader.readCommand(command, numbers);
    numbers = [];
    // Further coordinates after a move are lines.
    if (command === 'm') command = 'l';
    if (command === 'M') command = 'L';
  }
  return reader.nodes;
}

class PathReader {
  readonly nodes: PathNode[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The last node, if it ends a cubic: `s` mirrors its control point. */
  #curve: PathNode | undefined;

  readCommand(command: string, numbers: number[]): void {
    const name = command.toLowerCase();
    const [originX, originY] = name === command ? [this.#x, this.#y] : [0, 0];
    const at = (index: number) =>
      [originX + Number(numbers[index]), originY + Number(numbers[index + 1])] as const;
    if (name === 'z') this.#moveTo(this.#startX, this.#startY);
    else if (name === 'h') this.#addNode(originX + Number(numbers[0]), this.#y);
    else if (name === 'v') this.#addNode(this.#x, originY + Number(numbers[0]));
    else if (name === 'c') this.#cubic(at(0), at(2), at(4));
    else if (name === 's') this.#cubic(this.#mirrored(), at(0), at(2));
    else if (name === 'q') this.#quadratic(at(0), at(2));
    else this.#addNode(...at(name === 'a' ? 5 : 0));
    if (name === 'm') [this.#startX, this.#startY] = [this.#x, this.#y];
  }

  #cubic(
    first: readonly [number, number],
    second: readonly [number, number],
    [x, y]: readonly [number, number],
  ): void {
    this.nodes.at(-1)?.handles.push(...first);
    this.#addNode(x, y);
    this.#curve = this.nodes.at(-1);
    this.#curve?.handles.push(...second);
  }

  /** Both nodes show the one control point. */
  #quadratic(control: readonly [number, number], end: readonly [number, number]): void {
    this.#cubic(control, control, end);
    this.#curve = undefined;
  }

  #mirrored(): readonly [number, number] {
    const [x = this.#x, y = this.#y] = this.#curve?.handles.slice(0, 2) ?? [];
    return [2 * this.#x - x, 2 * this.#y - y];
  }

  #addNode(x: number, y: number): void {
    this.#moveTo(x, y);
    this.nodes.push({ x, y, handles: [] });
  }

  #moveTo(x: number, y: number): void {
    [this.#x, this.#y, this.#curve] = [x, y, undefined];
  }
}
