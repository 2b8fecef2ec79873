/** Characters and length that RFC 2046 allows in a boundary. */
const BOUNDARY =
  /;\s*boundary=(?:"([\w'()+,\-./:=? ]{1,70})"|([\w'()+\-./:=?!#$%&*^`{|}~]{1,70}))\s*(?:;|$)/i;

/** The boundary that a Content-Type names, if it can be one. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? token;
}

/**
 * Counts the delimiters in a multipart body as it streams by. busboy drops parts that have no usable disposition
 * without a word; that it reported fewer parts than there are delimiters is the only trace they leave.
 */
export class DelimiterCounter {
  count = 0;
  readonly #delimiter: Buffer;
  #tail: Buffer = Buffer.from('\r\n');

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  push(chunk: Buffer): void {
    const keep = this.#delimiter.length - 1;
    // Both sides are shorter than a delimiter, so what is found here straddles the two chunks.
    this.#search(Buffer.concat([this.#tail, chunk.subarray(0, keep)]));
    this.#search(chunk);
    const end = chunk.length >= keep ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = Buffer.from(end.subarray(-keep));
  }

  #search(bytes: Buffer): void {
    let at = bytes.indexOf(this.#delimiter);
    while (at !== -1) {
      this.count++;
      at = bytes.indexOf(this.#delimiter, at + this.#delimiter.length);
    }
  }
}
