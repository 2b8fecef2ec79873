// Forgets where in the source panics arise: muted ones do not say it.
import { StepFailed } from './command.ts';

/** File name, its length, line and column: four bytes each, as the standard library's `Location` lies in memory. */
const PLACE_BYTES = 16;
const SOURCE_FILE = /^[\w./-]+\.rs$/;
// Longer, lower or farther right nothing of Rust is.
const MOST = { bytes: 255, line: 100_000, column: 1_000 };

const HEADER_BYTES = 8;
const DATA_SECTION = 11;
const I32_CONST = 0x41;

interface Segment {
  /** The address of its first byte. */
  start: number;
  bytes: Buffer;
}

/** Overwrites a module's places of panics, and their file names, by zeros, which Binaryen leaves out: 2 % of the packed module. */
export function forgetPanicPlaces(module: Buffer): void {
  const segments = dataSegments(module);
  const names = new Set<Buffer>();
  for (const { bytes } of segments)
    for (let at = 0; at + PLACE_BYTES <= bytes.length; at += 4) {
      const name = fileName(bytes.subarray(at, at + PLACE_BYTES), segments);
      if (name === undefined) continue;
      names.add(name);
      bytes.fill(0, at, at + PLACE_BYTES);
    }
  if (names.size === 0)
    throw new StepFailed('panics have their places elsewhere than scripts/panic-places.ts expects');
  for (const name of names) name.fill(0);
}

/** The file name of a place, if these bytes are one. */
function fileName(place: Buffer, segments: Segment[]): Buffer | undefined {
  const [address = 0, length = 0, line = 0, column = 0] = [0, 4, 8, 12].map((at) => place.readUInt32LE(at));
  if (length > MOST.bytes || line === 0 || line > MOST.line || column === 0 || column > MOST.column) return;
  const segment = segments.find(
    ({ start, bytes }) => address >= start && address + length <= start + bytes.length,
  );
  const name = segment?.bytes.subarray(address - segment.start, address - segment.start + length);
  return name !== undefined && SOURCE_FILE.test(name.toString('latin1')) ? name : undefined;
}

/** The parts of a linked module's memory that are not zero, as they lie in its file. */
function dataSegments(module: Buffer): Segment[] {
  const reader = new Reader(module, HEADER_BYTES);
  while (reader.at < module.length) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id === DATA_SECTION) return Array.from({ length: reader.number() }, () => reader.segment());
    reader.at = end;
  }
  return [];
}

class Reader {
  readonly #file: Buffer;
  at: number;

  constructor(file: Buffer, at: number) {
    this.#file = file;
    this.at = at;
  }

  byte(): number {
    const byte = this.#file[this.at];
    if (byte === undefined) throw new StepFailed('the module ends too early');
    this.at += 1;
    return byte;
  }

  /** A number in LEB128; addresses are below 2 GiB and have no sign. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** An active segment of the first memory, from a constant address. */
  segment(): Segment {
    const kind = this.byte();
    if (kind !== 0 || this.byte() !== I32_CONST)
      throw new StepFailed('the linker writes data otherwise than scripts/panic-places.ts expects');
    const start = this.number();
    this.byte(); // The end of the address.
    const length = this.number();
    const bytes = this.#file.subarray(this.at, this.at + length);
    this.at += length;
    return { start, bytes };
  }
}
