// @ts-check
// Preloaded into the service by faults.test.ts and the soak: injects faults that no request can cause. The height of an
// image that is FAULT_WIDTH pixels wide selects the fault; SIGUSR2 makes the clock jump, SIGURG collects the main thread's garbage.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const FAULT_WIDTH = 7;
/** A module whose function `trap` executes `unreachable`. */
const TRAP = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0],
  ...[10, 5, 1, 3, 0, 0, 11],
]);
const QUARTER_GIB = 2 ** 28;
/** Forward a day, back two days, forward a day: in the end, the clock is right again. */
const JUMPS_MS = [86_400_000, -2 * 86_400_000, 86_400_000];

const { Instance } = WebAssembly;

/** @typedef {(bytes: number, alignment: number) => number} Allocate */

/** @type {Record<number, (engine: WebAssembly.Exports) => void>} */
const FAULTS = {
  1: () => /** @type {() => void} */ (new Instance(new WebAssembly.Module(TRAP)).exports.trap)(),
  2: () => {
    for (;;);
  },
  3: ({ __wbindgen_malloc: allocate }) => {
    // Traps when the memory is at its maximum. What was allocated is never written, so the process does not grow.
    for (;;) /** @type {Allocate} */ (allocate)(QUARTER_GIB, 1);
  },
  4: () => process.exit(1),
  5: () => {
    throw 'no error object';
  },
};

if (isMainThread) {
  const { now } = Date;
  let offsetMs = 0;
  let jumps = 0;
  Date.now = () => now() + offsetMs;
  process.on('SIGUSR2', () => {
    offsetMs += JUMPS_MS[jumps++ % JUMPS_MS.length] ?? 0;
  });
  setFlagsFromString('--expose-gc');
  process.on('SIGURG', /** @type {() => void} */ (runInNewContext('gc')));
} else {
  // @ts-expect-error: a constructor that returns another object.
  WebAssembly.Instance = function FaultyInstance(module, imports) {
    const { exports } = new Instance(module, imports);
    if (typeof exports.trace !== 'function') return { exports };
    const { trace } = exports;
    const faulty = (
      /** @type {number} */ width,
      /** @type {number} */ height,
      /** @type {unknown[]} */ ...rest
    ) => {
      const fault = width === FAULT_WIDTH ? FAULTS[height] : undefined;
      fault?.(exports);
      return trace(width, height, ...rest);
    };
    return { exports: { ...exports, trace: faulty } };
  };
}
