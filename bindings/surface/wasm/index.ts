/** Raster image to SVG in WebAssembly, for Node.js, Deno, browsers, workers and edge runtimes. */
import { parseEngineError, TracesmithError } from '../shared/errors.ts';
import { checkImage, type ImageLike } from '../shared/image.ts';
import type { Options } from '../shared/options.ts';
import { checkWatch, type Watch, watchSync } from '../shared/progress.ts';
import { serializeOptions } from '../shared/validate-options.ts';
import { compileModule, compileModuleSync, type WasmSource } from './compile-module.ts';
import * as engine from './engine.js';
import { warmUpPicture } from './warm-up-picture.ts';

export type { OptionProblem, TracesmithErrorCode } from '../shared/errors.ts';
export { TracesmithError } from '../shared/errors.ts';
export type { ImageLike } from '../shared/image.ts';
export type { OptionSpec, Options } from '../shared/options.ts';
export { optionTable } from '../shared/options.ts';
export type { Progress, Watch } from '../shared/progress.ts';
export { validateOptions } from '../shared/validate-options.ts';
export type { WasmSource } from './compile-module.ts';
export { type BmpLimits, decodeBmp } from './decode-bmp.ts';

export interface InitOptions {
  /** Default: `engine_bg.wasm` beside this module, or `engine_gradients_bg.wasm` with `gradients`. */
  source?: WasmSource | undefined;
  /**
   * Whether the engine must know the option `gradients`. The file that does is nearly a fifth larger, and gives the same SVGs without the option.
   * It replaces an engine without gradients; if that came from a source, only with a source. Default: false.
   */
  gradients?: boolean;
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

/** Which engine: the package's own without gradients or with, or the caller's, which may be either. */
type Build = 'plain' | 'gradients' | 'given';

/** The engines that are being loaded, or were. */
const loads: Partial<Record<Build, Promise<void>>> = {};
let compiled: WebAssembly.Module | undefined;
let build: Build | undefined;
let warming: Promise<void> | undefined;
// Undefined before the first call and after a trap, which leaves the memory in an unknown state.
let instance: { memory: WebAssembly.Memory } | undefined;
let isBusy = false;

/**
 * Loads the engine: from a source, or from a file beside this module. Warms it up if asked to. Idempotent. Rejects with
 * `engine_unavailable` if the engine cannot be loaded; the next call then tries again.
 */
export async function init(from?: WasmSource | InitOptions): Promise<void> {
  const { source, gradients = false, warm = false } = isOptions(from) ? from : { source: from };
  await ensureLoaded(source, gradients);
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
export function initSync(
  source: BufferSource | WebAssembly.Module,
  { gradients = false }: Pick<InitOptions, 'gradients'> = {},
): void {
  if (compiled !== undefined && (!gradients || build === 'gradients')) return;
  const wanted = gradients ? 'gradients' : 'given';
  use(wanted, compileModuleSync(source));
  loads[wanted] ??= Promise.resolve();
}

/**
 * Traces `image` to SVG on the calling thread. If the engine that `options` need is not loaded, loads it first. `Tracer`, in
 * `tracesmith-wasm/tracer`, traces in a worker.
 */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  const serialized = serializeOptions(options);
  await ensureLoaded(undefined, asksForGradients(serialized));
  return traceSerialized(image, serialized, watch);
}

/**
 * Traces `image` to SVG. `init` must have finished, for the option `gradients` with `gradients`. During the trace, only
 * `watch.onProgress` can stop it.
 */
export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  return traceSerialized(image, serializeOptions(options), watch);
}

function traceSerialized(image: ImageLike, options: string, watch?: Watch): string {
  const { width, height, rgba } = checkImage(image);
  // A source may be of either engine, which tells itself whether it knows gradients.
  if (asksForGradients(options) && (build === undefined || build === 'plain')) {
    const message = 'the engine with gradients is not loaded: await init({ gradients: true }) first';
    throw new TracesmithError('not_initialized', message);
  }
  return watchSync(checkWatch(watch), (report) =>
    callEngine(() => engine.trace(width, height, rgba, options, report && { report })),
  );
}

function asksForGradients(serialized: string): boolean {
  return serialized.split('\n').includes('gradients=true');
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
    if (typeof thrown === 'string') throw forUsers(parseEngineError(thrown));
    instance = undefined;
    throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
  } finally {
    isBusy = false;
  }
}

/** What the engine says of an option that it was compiled without helps those who compile it; users of this package load a file. */
function forUsers(error: TracesmithError): TracesmithError {
  if (error.errors[0]?.pointer !== '/gradients') return error;
  const detail =
    'needs the engine in engine_gradients_bg.wasm: load that file, with init({ source, gradients: true }) or as the gradientsEngine of a Tracer';
  return new TracesmithError('invalid_option', `option gradients ${detail}`, {
    errors: [{ pointer: '/gradients', detail }],
  });
}

/** Loads an engine unless the one that is there, or on its way, will do. */
function ensureLoaded(source: WasmSource | undefined, gradients: boolean): Promise<void> {
  if (gradients && (source !== undefined || loads.given === undefined)) return load('gradients', source);
  if (loads.given !== undefined || (source !== undefined && Object.keys(loads).length === 0))
    return load('given', source);
  // The engine with gradients will do. If it cannot be loaded, the other one may still be.
  return loads.gradients?.catch(() => ensureLoaded(source, false)) ?? load('plain');
}

function load(wanted: Build, source?: WasmSource): Promise<void> {
  loads[wanted] ??= fetchModule(wanted, source).catch((cause: unknown) => {
    delete loads[wanted];
    if (cause instanceof TracesmithError) throw cause;
    throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
  });
  return loads[wanted];
}

async function fetchModule(wanted: Build, source?: WasmSource): Promise<void> {
  const module = await compileModule(source ?? ownFile(wanted));
  // Meanwhile, another engine may have been loaded: only gradients replace it, and one from a source only if they are from one as well.
  const replaces = wanted === 'gradients' && (source !== undefined || build === 'plain');
  if (compiled === undefined || replaces) use(wanted, module);
}

function ownFile(wanted: Build): URL {
  // Bundlers recognize exactly these expressions and copy the files to their output.
  if (wanted === 'gradients') return new URL('./engine_gradients_bg.wasm', import.meta.url);
  return new URL('./engine_bg.wasm', import.meta.url);
}

function use(wanted: Build, module: WebAssembly.Module): void {
  assertIdle();
  [compiled, build, warming] = [module, wanted, undefined];
  if (instance !== undefined) recycle();
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
    for (const options of warmUpOptions()) traceSync(picture, options);
    if (performance.now() - lastYield < YIELD_INTERVAL_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    lastYield = performance.now();
  }
}

function warmUpOptions(): Options[] {
  const options: Options[] = [{ colorMode: 'color' }, { colorMode: 'binary' }];
  return build === 'gradients' ? [...options, { gradients: true }] : options;
}
