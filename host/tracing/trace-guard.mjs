// @ts-check
// Stops a trace that exceeds a limit, from within: no thread is ended. Plain JavaScript with checked types, like worker.mjs.
import { memoryBytes } from 'tracesmith-wasm';
import { cpuMs } from './cpu-clock.mjs';
import { isCanceled } from './job-control.mjs';

/** @import { JobControl } from './job-control.mjs' */
/** @import { FailureCode, JobLimits } from './job.ts' */

/** How often the CPU time is read, as that can be a system call. */
const CPU_CHECK_MS = 20;

/**
 * An engine that fails with more memory than this ran out of it: the module's limit is 2 GiB, and a growing list asks for twice its
 * size while it keeps the old one, so it can fail from a third on; between two reports the memory grows by less than 200 MB.
 */
const NEARLY_FULL_BYTES = 512 * 1024 * 1024;

/** A trace was stopped; `code` says why. */
export class TraceStopped extends Error {
  /** @param {FailureCode} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Watches one trace. The engine reports its progress every few milliseconds. */
export class TraceGuard {
  #limits;
  #control;
  #startMs = cpuMs();
  #checkedMs = performance.now();
  #peakBytes = 0;

  /**
   * @param {JobLimits} limits
   * @param {JobControl} control
   */
  constructor(limits, control) {
    this.#limits = limits;
    this.#control = control;
  }

  /** Called with each report of progress. Throws to stop the trace. */
  check() {
    if (isCanceled(this.#control)) throw new TraceStopped('canceled');
    this.#peakBytes = memoryBytes();
    if (this.#peakBytes > this.#limits.maxEngineBytes) throw new TraceStopped('memory_exceeded');
    const now = performance.now();
    if (now - this.#checkedMs < CPU_CHECK_MS) return;
    this.#checkedMs = now;
    if (cpuMs() - this.#startMs > this.#limits.maxCpuMs) throw new TraceStopped('cpu_exceeded');
  }

  /** Whether a failure of the engine is one of memory. A trap does not say. */
  get isNearlyFull() {
    return this.#peakBytes > NEARLY_FULL_BYTES;
  }
}
