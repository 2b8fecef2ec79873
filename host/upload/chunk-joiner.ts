/** A shorter chunk is joined with the next ones. */
const SHORT_BYTES = 1024;
const BLOCK_BYTES = 16 * 1024;

/**
 * Joins short chunks that arrive together: a client can send each byte in a chunk of its own, and parsing takes time for each piece,
 * however short. Nothing waits for longer than until the chunks that have already arrived are read.
 */
export class ChunkJoiner {
  readonly #write: (chunk: Buffer) => void;
  #block: Buffer | undefined;
  #used = 0;
  #flushing: NodeJS.Immediate | undefined;

  /** `write` receives all bytes, in order. */
  constructor(write: (chunk: Buffer) => void) {
    this.#write = write;
  }

  push(chunk: Buffer): void {
    if (this.#used + chunk.length > BLOCK_BYTES) this.flush();
    if (chunk.length >= SHORT_BYTES) {
      this.flush();
      this.#write(chunk);
      return;
    }
    this.#block ??= Buffer.allocUnsafe(BLOCK_BYTES);
    // A call of copy() takes longer than a few bytes do.
    for (let i = 0; i < chunk.length; i++) this.#block[this.#used++] = chunk[i] ?? 0;
    this.#flushing ??= setImmediate(() => this.flush());
  }

  /** Writes what is left. */
  flush(): void {
    this.#cancel();
    if (this.#block === undefined || this.#used === 0) return;
    const joined = Buffer.from(this.#block.subarray(0, this.#used));
    this.#used = 0;
    this.#write(joined);
  }

  /** Drops what is left. */
  drop(): void {
    this.#cancel();
    this.#used = 0;
  }

  #cancel(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
  }
}
