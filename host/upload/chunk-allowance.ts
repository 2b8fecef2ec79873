/** A body may have so many chunks, however short they are: one of 4 KB may come byte by byte. */
const ANY_CHUNKS = 4_096;
/**
 * The least mean of all further ones. Clients fill a buffer before they send a chunk, of 4 KiB and more; programs that send
 * each piece as they write it come to some 100 bytes with lines of text, and a chunk that arrives in several segments of TCP
 * counts as several of 536 bytes or more. At this mean, 20 MiB take about as long to read as a second of tracing.
 */
const MIN_MEAN_BYTES = 64;

/**
 * How many chunks a body may have. node:http takes some microseconds for each, whatever its length, in the thread that serves
 * all clients.
 */
export class ChunkAllowance {
  #left = ANY_CHUNKS;

  /** Counts a chunk. Returns whether it is still allowed. */
  take(bytes: number): boolean {
    this.#left += bytes / MIN_MEAN_BYTES - 1;
    // Long chunks do not allow more short ones after them than any body may have.
    if (this.#left > ANY_CHUNKS) this.#left = ANY_CHUNKS;
    return this.#left >= 0;
  }
}
