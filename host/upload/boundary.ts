/** The characters and the length that RFC 2046 allows in a boundary. */
const BOUNDARY =
  /;\s*boundary=(?:"([\w'()+,\-./:=? ]{1,70})"|([\w'()+\-./:=?!#$%&*^`{|}~]{1,70}))\s*(?:;|$)/i;

/** The boundary parameter of a Content-Type header; undefined if missing or invalid. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? token;
}

/**
 * Counts the delimiters in a multipart body while it streams. busboy silently drops parts without a valid
 * Content-Disposition; only a difference between its number of parts and that of the delimiters reveals them.
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
    // Both sides are shorter than a delimiter, so a match here always spans the two chunks.
    this.#search(Buffer.concat([this.#tail, chunk.subarray(0, keep)]));
    this.#search(chunk);
    const end = chunk.length >= keep ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = Buffer.from(end.subarray(-keep));
  }

  #search(bytes: Buffer): void {
    let index = bytes.indexOf(this.#delimiter);
    while (index !== -1) {
      this.count++;
      index = bytes.indexOf(this.#delimiter, index + this.#delimiter.length);
    }
  }
}
