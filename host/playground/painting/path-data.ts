/** A point of a path, and the control points on both sides of it, all in picture coordinates. */
export interface Node {
  x: number;
  y: number;
  /** Ends of its handles, as x, y pairs. */
  handles: number[];
}

/** How many numbers each command takes. */
const COUNTS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, a: 7, z: 0 };
const TOKEN = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** The nodes of a path: what the engine writes, in relative or absolute commands. */
export function nodesOf(data: string): Node[] {
  const walk = new Walk();
  let command = '';
  let numbers: number[] = [];
  for (const [token] of data.matchAll(TOKEN)) {
    if (/[a-z]/i.test(token.charAt(0))) {
      command = token;
      numbers = [];
    } else {
      numbers.push(Number(token));
    }
    const wanted = COUNTS[command.toLowerCase()];
    if (wanted === undefined) throw new Error(`no path command: ${command}`);
    if (numbers.length < wanted) continue;
    walk.step(command, numbers);
    numbers = [];
    // Numbers after a move are lines.
    if (command === 'm') command = 'l';
    if (command === 'M') command = 'L';
  }
  return walk.nodes;
}

class Walk {
  readonly nodes: Node[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The last node, if a curve ended there: `s` mirrors its handle. */
  #curve: Node | undefined;

  step(command: string, numbers: number[]): void {
    const name = command.toLowerCase();
    const [originX, originY] = name === command ? [this.#x, this.#y] : [0, 0];
    const at = (index: number) =>
      [originX + Number(numbers[index]), originY + Number(numbers[index + 1])] as const;
    if (name === 'z') this.#go(this.#startX, this.#startY);
    else if (name === 'h') this.#add(originX + Number(numbers[0]), this.#y);
    else if (name === 'v') this.#add(this.#x, originY + Number(numbers[0]));
    else if (name === 'c') this.#cubic(at(0), at(2), at(4));
    else if (name === 's') this.#cubic(this.#mirrored(), at(0), at(2));
    else this.#add(...at(name === 'a' ? 5 : 0));
    if (name === 'm') [this.#startX, this.#startY] = [this.#x, this.#y];
  }

  #cubic(
    first: readonly [number, number],
    second: readonly [number, number],
    [x, y]: readonly [number, number],
  ): void {
    this.nodes.at(-1)?.handles.push(...first);
    this.#add(x, y);
    this.#curve = this.nodes.at(-1);
    this.#curve?.handles.push(...second);
  }

  #mirrored(): readonly [number, number] {
    const [x = this.#x, y = this.#y] = this.#curve?.handles.slice(0, 2) ?? [];
    return [2 * this.#x - x, 2 * this.#y - y];
  }

  #add(x: number, y: number): void {
    this.#go(x, y);
    this.nodes.push({ x, y, handles: [] });
  }

  #go(x: number, y: number): void {
    [this.#x, this.#y, this.#curve] = [x, y, undefined];
  }
}
