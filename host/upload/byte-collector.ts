/** Pieces are copied into blocks of this size. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Joins the pieces of a part. They are copied, as a client can send each byte in a chunk of its own, and a `Buffer` takes hundreds of
 * bytes beside its content.
 */
export class ByteCollector {
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;

  add(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#used === this.#block.length) this.#startBlock();
      const copied = piece.copy(this.#block, this.#used, at);
      this.#used += copied;
      at += copied;
    }
  }

  /** All bytes so far. */
  bytes(): Buffer {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)]);
  }

  #startBlock(): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#used = 0;
  }
}
