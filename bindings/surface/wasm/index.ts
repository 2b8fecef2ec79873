/** Raster image to SVG in WebAssembly, for Node.js, Deno, browsers, workers and edge runtimes. */
import { parseEngineError, TracesmithError } from '../shared/errors.ts';
import { bytesOf, checkImage, type ImageLike } from '../shared/image.ts';
import type { Options } from '../shared/options.ts';
import { type Watch, watchSync } from '../shared/progress.ts';
import { serializeOptions } from '../shared/validate-options.ts';
import * as engine from './engine.js';
import { warmUpPicture } from './warm-up-picture.ts';

export type { OptionProblem, TracesmithErrorCode } from '../shared/errors.ts';
export { TracesmithError } from '../shared/errors.ts';
export type { ImageLike } from '../shared/image.ts';
export type { OptionSpec, Options } from '../shared/options.ts';
export { optionTable } from '../shared/options.ts';
export type { Progress, Watch } from '../shared/progress.ts';
export { validateOptions } from '../shared/validate-options.ts';

/** The engine's URL, a response that contains it, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/** The largest BMP to decode. */
export interface BmpLimits {
  /** Width × height. */
  maxPixels: number;
  /** Longest side, in pixels. */
  maxSide: number;
}

export interface InitOptions {
  /** Default: `engine_bg.wasm` beside this module. */
  source?: WasmSource;
  /**
   * Whether to trace a built-in image for 400 ms as well, after which most of the module is optimized: for programs that have no image
   * yet and want the first one to be fast. Default: false.
   */
  warm?: boolean;
}

const WARM_UP_MS = 400;
/** Ends the warm-up where the clock does not advance while code runs, as in some edge runtimes. */
const MAX_WARM_UP_ROUNDS = 120;
/** The warm-up yields to other work on its thread this often: about one frame. */
const YIELD_INTERVAL_MS = 15;

let compiled: WebAssembly.Module | undefined;
let loading: Promise<void> | undefined;
let warming: Promise<void> | undefined;
// Undefined before the first call and after a trap, which leaves the memory in an unknown state.
let instance: { memory: WebAssembly.Memory } | undefined;
let isBusy = false;

/**
 * Loads the engine: from a source, or from `engine_bg.wasm` beside this module. Warms it up if asked to. Idempotent. Rejects with
 * `engine_unavailable` if the engine cannot be loaded; the next call then tries again.
 */
export async function init(from?: WasmSource | InitOptions): Promise<void> {
  const { source, warm = false } = isOptions(from) ? from : { source: from };
  loading ??= load(source).catch((cause: unknown) => {
    loading = undefined;
    if (cause instanceof TracesmithError) throw cause;
    throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
  });
  await loading;
  if (!warm) return;
  warming ??= warmUp().catch((cause: unknown) => {
    warming = undefined;
    throw cause;
  });
  await warming;
}

/** No source is a plain object. */
function isOptions(from: WasmSource | InitOptions | undefined): from is InitOptions {
  return typeof from === 'object' && Object.getPrototypeOf(from) === Object.prototype;
}

/** Synchronous `init` from bytes or a compiled module: for workers that receive the module. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (!(source instanceof WebAssembly.Module)) checkSimd();
  compiled ??= source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  loading ??= Promise.resolve();
}

/**
 * Traces `image` to SVG on the calling thread. If `init` was not called, loads the engine first. `Tracer`, in
 * `tracesmith-wasm/tracer`, traces in a worker.
 */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  await init();
  return traceSync(image, options, watch);
}

/** Traces `image` to SVG. `init` must have finished. During the trace, only `watch.onProgress` can stop it. */
export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  const serialized = serializeOptions(options);
  const { width, height, rgba } = checkImage(image);
  return watchSync(watch, (report) =>
    callEngine(() => engine.trace(width, height, rgba, serialized, report && { report })),
  );
}

/** Decodes a BMP file. Its size is checked against `limits` before memory is allocated for pixels. */
export function decodeBmp(bytes: Uint8Array, limits: BmpLimits): ImageLike & { data: Uint8Array } {
  const checked = bytesOf(bytes);
  if (checked === undefined) throw new TracesmithError('invalid_image', 'a BMP must be a Uint8Array');
  const decoded = callEngine(() => engine.decode_bmp(checked, limits.maxPixels, limits.maxSide));
  const size = new DataView(decoded.buffer, decoded.byteOffset, 8);
  return { width: size.getUint32(0, true), height: size.getUint32(4, true), data: decoded.subarray(8) };
}

/** The engine's version. */
export function version(): string {
  return callEngine(() => engine.version());
}

/** The option table of the loaded engine. `optionTable` is the same table as a typed constant. */
export function engineOptionTable(): unknown {
  return JSON.parse(callEngine(() => engine.option_table()));
}

/** The current size of the engine's memory. It never shrinks; `recycle` frees it. */
export function memoryBytes(): number {
  return instance?.memory.buffer.byteLength ?? 0;
}

/** Replaces the engine's instance by a new one, which takes about a millisecond, so that its memory can be freed. */
export function recycle(): void {
  assertIdle();
  instance = undefined;
  // The glue would hold the old instance until it has a new one.
  if (compiled !== undefined) instance = engine.initSync({ module: compiled });
}

/** The glue holds one instance, which must not be replaced during a call. */
function assertIdle(): void {
  if (isBusy) throw new TracesmithError('busy', 'the engine cannot be called from onProgress');
}

function callEngine<Result>(run: () => Result): Result {
  assertIdle();
  if (compiled === undefined) {
    throw new TracesmithError('not_initialized', 'the engine is not loaded: await init() first');
  }
  instance ??= engine.initSync({ module: compiled });
  isBusy = true;
  try {
    return run();
  } catch (thrown) {
    if (typeof thrown === 'string') throw parseEngineError(thrown);
    instance = undefined;
    throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
  } finally {
    isBusy = false;
  }
}

async function load(source: WasmSource | undefined): Promise<void> {
  // Bundlers recognize exactly this expression and copy the file to their output.
  const resolved = await (source ?? new URL('./engine_bg.wasm', import.meta.url));
  compiled ??= await compile(resolved);
}

/**
 * Traces until the JavaScript engine has compiled and optimized the module, so that the first image does not wait for it. Yields to
 * other work on the calling thread.
 */
async function warmUp(): Promise<void> {
  const picture = warmUpPicture();
  const start = performance.now();
  let lastYield = start;
  for (let round = 0; round < MAX_WARM_UP_ROUNDS && performance.now() - start < WARM_UP_MS; round++) {
    for (const colorMode of ['color', 'binary'] as const) traceSync(picture, { colorMode });
    if (performance.now() - lastYield < YIELD_INTERVAL_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    lastYield = performance.now();
  }
}

async function compile(source: Awaited<WasmSource>): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  checkSimd();
  if (typeof source === 'string' || source instanceof URL) return compile(await read(source));
  // In Node.js, naming `Response` loads its HTTP client, which takes 18 ms.
  if (!ArrayBuffer.isView(source) && typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url} returned status ${source.status}`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/** A module with one function that uses `i8x16.splat` and `i8x16.popcnt`: valid only where SIMD is supported. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Without this check, the error message would be a byte offset in the module. */
function checkSimd(): void {
  if (WebAssembly.validate(SIMD_PROBE)) return;
  const message = 'this runtime has no WebAssembly SIMD, which the engine requires';
  throw new TracesmithError('engine_unavailable', message);
}

/** What Node.js and Deno have and browsers lack. */
interface NodeGlobal {
  process?: { getBuiltinModule?(name: string): { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> } };
}

async function read(address: string | URL): Promise<Response | BufferSource> {
  const url = new URL(address, import.meta.url);
  // Node's fetch does not read files. An import of node:fs would make bundlers for browsers look for that module.
  const fs =
    url.protocol === 'file:'
      ? (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:fs/promises')
      : undefined;
  return fs === undefined ? fetch(url) : fs.readFile(url);
}
