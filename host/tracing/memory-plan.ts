/** An engine keeps at most this much: images of a megapixel stay below, and a new engine is ready in a millisecond. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** What all engines together may keep. */
const MAX_KEPT_SHARE = 1 / 4;

/** How a total is divided between what each thread keeps, and what images share that need more. */
export interface MemoryPlan {
  keptBytes: number;
  sharedBytes: number;
}

/** Divides the memory for images between `threads` worker threads and what they share. */
export function planMemory(totalBytes: number, threads: number): MemoryPlan {
  const keptBytes = Math.floor(Math.min(MAX_KEPT_BYTES, (totalBytes * MAX_KEPT_SHARE) / threads));
  return { keptBytes, sharedBytes: totalBytes - threads * keptBytes };
}
