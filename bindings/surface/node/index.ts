/**
 * Raster image to SVG for Node.js, off the main thread: by an addon compiled for the machine, or where there is none, by the same
 * engine in WebAssembly.
 */
import { loadAddon } from './addon.ts';
import { fromEngine } from './errors.ts';
import * as fallback from './fallback.ts';
import { checkImage, type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { settingsOf } from './validate.ts';
import { type Watch, watchElsewhere, watchHere } from './watch.ts';

export type { OptionProblem, TracesmithErrorCode } from './errors.ts';
export { TracesmithError } from './errors.ts';
export type { ImageLike } from './image.ts';
export type { OptionSpec, Options } from './options.ts';
export { optionTable } from './options.ts';
export { validateOptions } from './validate.ts';
export type { Progress, Watch } from './watch.ts';

const loaded = loadAddon();
const addon = loaded instanceof Error ? undefined : loaded;

/** Which engine traces here. Options, drawings and errors are the same. */
export const engine: 'native' | 'wasm' = addon === undefined ? 'wasm' : 'native';

/** Why it is not the native one; its `cause` has what the loader tried. */
export const nativeProblem: Error | undefined = loaded instanceof Error ? loaded : undefined;

/** Does nothing: the engine is loaded with the module. There for what is written for both packages. */
export async function init(): Promise<void> {}

/** Traces `image` to SVG text on another thread; the pixels are copied first, so they may change meanwhile. */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  if (addon === undefined) return fallback.trace(image, options, watch);
  const settings = settingsOf(options);
  const { width, height, rgba } = checkImage(image);
  const stop = new addon.Stop();
  return watchElsewhere(
    watch,
    (reached) => {
      const observer = watch?.onProgress === undefined ? undefined : reached;
      return addon.trace(width, height, rgba, settings, stop, observer).catch(rethrow);
    },
    () => stop.stop(),
  );
}

/** Traces `image` to SVG text on the calling thread. While it works, only `watch.onProgress` can stop it. */
export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  if (addon === undefined) return fallback.traceSync(image, options, watch);
  const settings = settingsOf(options);
  const { width, height, rgba } = checkImage(image);
  return watchHere(watch, (reached) => {
    try {
      return addon.traceSync(width, height, rgba, settings, reached);
    } catch (thrown) {
      return rethrow(thrown);
    }
  });
}

/** The engine's version. */
export function version(): string {
  return addon === undefined ? fallback.version() : addon.version();
}

function rethrow(thrown: unknown): never {
  throw fromEngine(thrown instanceof Error ? thrown.message : String(thrown), thrown);
}
