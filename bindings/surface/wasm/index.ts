/** Raster image to SVG, in WebAssembly: Node.js, browsers, workers, edge run times. */
import * as engine from './engine.js';
import { fromEngine, TracesmithError } from './errors.ts';
import { bytesOf, checkImage, type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { settingsOf } from './validate.ts';
import { warmingPicture } from './warm.ts';
import { type Watch, watchHere } from './watch.ts';

export type { OptionProblem, TracesmithErrorCode } from './errors.ts';
export { TracesmithError } from './errors.ts';
export type { ImageLike } from './image.ts';
export type { OptionSpec, Options } from './options.ts';
export { optionTable } from './options.ts';
export { validateOptions } from './validate.ts';
export type { Progress, Watch } from './watch.ts';

/** Where the module comes from: its address, an answer that carries it, its bytes, or the compiled module itself. */
export type WasmSource = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/** What a BMP may measure. */
export interface BmpLimits {
  maxPixels: number;
  /** Longest side, in pixels. */
  maxSide: number;
}

const WARM_MS = 400;
/** Where a clock stands still while code runs, as on the edge, so many rounds are enough. */
const WARM_ROUNDS = 120;
/** For so long warming keeps its thread, about as long as a screen shows one picture. */
const BETWEEN_RESTS_MS = 15;

let compiled: WebAssembly.Module | undefined;
let loading: Promise<void> | undefined;
// Undefined until first used, and again after a trap: a trap leaves the memory in no known state.
let instance: { memory: WebAssembly.Memory } | undefined;
let isBusy = false;

/** How `init` has the engine compiled. */
export interface InitOptions {
  /** It traces a picture of its own for so long, not at all for 0. Default: 400, which has most of the engine compiled well. */
  warmMs?: number;
}

/**
 * Loads the engine and has it compiled, by pictures of its own; without `source` from the file beside this one. Further calls do
 * nothing.
 */
export function init(source?: WasmSource, { warmMs = WARM_MS }: InitOptions = {}): Promise<void> {
  loading ??= load(source, warmMs).catch((cause: unknown) => {
    loading = undefined;
    if (cause instanceof TracesmithError) throw cause;
    throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
  });
  return loading;
}

/** Like `init`, from bytes or a compiled module, at once, and without tracing anything: for workers that are handed the module. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (!(source instanceof WebAssembly.Module)) checkSimd();
  compiled ??= source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  loading ??= Promise.resolve();
}

/**
 * Traces `image` to SVG text; where `init` was not called, loads the engine first, without warming it: `image` waits. Runs on the
 * calling thread: `Tracer`, in `tracesmith-wasm/tracer`, keeps that free.
 */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  await init(undefined, { warmMs: 0 });
  return traceSync(image, options, watch);
}

/** Traces `image` to SVG text. `init` must have finished. While it works, only `watch.onProgress` can stop it. */
export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  const settings = settingsOf(options);
  const { width, height, rgba } = checkImage(image);
  return watchHere(watch, (reached) =>
    call(() => engine.trace(width, height, rgba, settings, reached && { reached })),
  );
}

/** Decodes a BMP to a picture. The limits are checked before its pixels are allocated. */
export function decodeBmp(bytes: Uint8Array, limits: BmpLimits): ImageLike & { data: Uint8Array } {
  const checked = bytesOf(bytes);
  if (checked === undefined) throw new TracesmithError('invalid_image', 'a BMP must be a Uint8Array');
  const answer = call(() => engine.decode_bmp(checked, limits.maxPixels, limits.maxSide));
  const header = new DataView(answer.buffer, answer.byteOffset, 8);
  return { width: header.getUint32(0, true), height: header.getUint32(4, true), data: answer.subarray(8) };
}

/** The engine's version. */
export function version(): string {
  return call(() => engine.version());
}

/** The option table that this very engine was compiled with; `optionTable` is the same, as a typed constant. */
export function engineOptionTable(): unknown {
  return JSON.parse(call(() => engine.option_table()));
}

/** The engine's memory at this moment. It never shrinks; `recycle` gives it back. */
export function memoryBytes(): number {
  return instance?.memory.buffer.byteLength ?? 0;
}

/** Drops the engine's instance, and with it its memory; the next call makes a new one in about a millisecond. */
export function recycle(): void {
  refuseIfBusy();
  instance = undefined;
}

/** The glue knows one instance: another must not take its place while that one works. */
function refuseIfBusy(): void {
  if (isBusy) throw new TracesmithError('busy', 'the engine is tracing: it cannot be called from onProgress');
}

function call<Answer>(run: () => Answer): Answer {
  refuseIfBusy();
  if (compiled === undefined) {
    throw new TracesmithError('not_initialized', 'the engine is not loaded: await init() first');
  }
  instance ??= engine.initSync({ module: compiled });
  isBusy = true;
  try {
    return run();
  } catch (thrown) {
    if (typeof thrown === 'string') throw fromEngine(thrown);
    instance = undefined;
    throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
  } finally {
    isBusy = false;
  }
}

async function load(source: WasmSource | undefined, warmMs: number): Promise<void> {
  // Bundlers look for these very words, and put the file beside what they make.
  const found = await (source ?? new URL('./engine_bg.wasm', import.meta.url));
  compiled ??= await compile(found);
  if (warmMs > 0) await warm(warmMs);
}

/**
 * What the first picture would pay for. Run times compile a function fast when it is first called, and well, on other threads, when it
 * has run for a while: so it is run, with rests for the calling thread's other work.
 */
async function warm(ms: number): Promise<void> {
  const picture = warmingPicture();
  const start = performance.now();
  let rested = start;
  for (let round = 0; round < WARM_ROUNDS && performance.now() - start < ms; round++) {
    for (const colorMode of ['color', 'binary'] as const) traceSync(picture, { colorMode });
    if (performance.now() - rested < BETWEEN_RESTS_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    rested = performance.now();
  }
}

async function compile(source: Awaited<WasmSource>): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  checkSimd();
  if (typeof source === 'string' || source instanceof URL) return compile(await read(source));
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url} answered ${source.status}`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/** A module of one function, `i8x16.popcnt` of a splat, which is valid exactly where there is SIMD. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Without this, the error would be an offset in a file. */
function checkSimd(): void {
  if (WebAssembly.validate(SIMD_PROBE)) return;
  const message = 'there is no WebAssembly SIMD in this run time, and the engine needs it';
  throw new TracesmithError('engine_unavailable', message);
}

/** What Node.js and Deno have, and no browser. */
interface Built {
  process?: { getBuiltinModule?(name: string): { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> } };
}

async function read(address: string | URL): Promise<Response | BufferSource> {
  const url = new URL(address, import.meta.url);
  // Node's fetch reads no files. Not an import: bundlers for browsers would look for the module.
  const files =
    url.protocol === 'file:'
      ? (globalThis as Built).process?.getBuiltinModule?.('node:fs/promises')
      : undefined;
  return files === undefined ? fetch(url) : files.readFile(url);
}
