// @ts-check
// Gives memory back to the system between jobs. Plain JavaScript with checked types, like worker.mjs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as wasm from 'tracesmith-wasm';

/** Pixels of images up to about 2 MP are left to the garbage collector, which counts them. */
const MAX_GARBAGE_BYTES = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/**
 * Frees what a job leaves behind, if it is much: WebAssembly memory never shrinks, and V8 would keep it until its next
 * collection of old objects, which in an idle thread never comes. (Measured: 500 MB stayed resident; a collection takes 15 ms.)
 *
 * @param {{ keptBytes: number, pixelBytes: number, hasTrapped: boolean }} job what an engine may keep for the next job, the
 *   size of the decoded image, and whether the engine has trapped
 */
export function releaseMemory({ keptBytes, pixelBytes, hasTrapped }) {
  const dropsEngine = hasTrapped || wasm.memoryBytes() > keptBytes;
  if (dropsEngine) wasm.recycle();
  if (dropsEngine || pixelBytes > MAX_GARBAGE_BYTES) collectGarbage();
}
