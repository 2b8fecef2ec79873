/**
 * Raster image to SVG for Node.js, off the main thread: by a native addon, or by the same engine in WebAssembly if no addon can be
 * loaded.
 */
import { parseEngineError } from '../shared/errors.ts';
import { checkImage, type ImageLike } from '../shared/image.ts';
import type { Options } from '../shared/options.ts';
import { checkWatch, type Watch, watchAsync, watchSync } from '../shared/progress.ts';
import { serializeOptions } from '../shared/validate-options.ts';
import { loadAddon } from './load-addon.ts';
import * as wasmFallback from './wasm-fallback.ts';

export type { OptionProblem, TracesmithErrorCode } from '../shared/errors.ts';
export { TracesmithError } from '../shared/errors.ts';
export type { ImageLike } from '../shared/image.ts';
export type { OptionSpec, Options } from '../shared/options.ts';
export { optionTable } from '../shared/options.ts';
export type { Progress, Watch } from '../shared/progress.ts';
export { validateOptions } from '../shared/validate-options.ts';

const loaded = loadAddon();
const addon = loaded instanceof Error ? undefined : loaded;

/** The engine in use. Options, SVGs and errors are the same for both. */
export const engine: 'native' | 'wasm' = addon === undefined ? 'wasm' : 'native';

/** Why `engine` is `'wasm'`; its `cause` is the loader's error. Undefined if the native engine is in use. */
export const nativeProblem: Error | undefined = loaded instanceof Error ? loaded : undefined;

/** Does nothing, because the engine is loaded with the module. Code written for `tracesmith-wasm` can call it, with its arguments. */
export async function init(_from?: unknown): Promise<void> {}

/** Traces `image` to SVG on another thread. The pixels are copied first, so the caller may change them afterwards. */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  if (addon === undefined) return wasmFallback.trace(image, options, watch);
  const serialized = serializeOptions(options);
  const { width, height, rgba } = checkImage(image);
  const checkedWatch = checkWatch(watch);
  const control = new addon.TraceControl();
  return watchAsync(
    checkedWatch,
    (report) => {
      const deliver = () => {
        for (const [stage, fraction] of control.takeReports()) report(stage, fraction);
      };
      const notice = checkedWatch.onProgress === undefined ? undefined : deliver;
      // A short trace may end before its first notice arrives; its reports still precede its result.
      return addon.trace(width, height, rgba, serialized, control, notice).finally(notice).catch(rethrow);
    },
    () => control.stop(),
  );
}

/** Traces `image` to SVG on the calling thread. During the trace, only `watch.onProgress` can stop it. */
export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  if (addon === undefined) return wasmFallback.traceSync(image, options, watch);
  const serialized = serializeOptions(options);
  const { width, height, rgba } = checkImage(image);
  return watchSync(checkWatch(watch), (observer) => {
    try {
      return addon.traceSync(width, height, rgba, serialized, observer);
    } catch (thrown) {
      return rethrow(thrown);
    }
  });
}

/** The engine's version. */
export function version(): string {
  return addon === undefined ? wasmFallback.version() : addon.version();
}

function rethrow(thrown: unknown): never {
  throw parseEngineError(thrown instanceof Error ? thrown.message : String(thrown), thrown);
}
