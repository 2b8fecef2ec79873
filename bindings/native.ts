/** Raster image to SVG, as a native addon for Node.js: the same surface as the WebAssembly package, off the main thread. */
import { createRequire } from 'node:module';
import { fromEngine, TracesmithError } from './errors.ts';
import { checkImage, type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { settingsOf } from './validate.ts';

export type { OptionProblem, TracesmithErrorCode } from './errors.ts';
export { TracesmithError } from './errors.ts';
export type { ImageLike } from './image.ts';
export type { OptionSpec, Options } from './options.ts';
export { optionTable } from './options.ts';
export { validateOptions } from './validate.ts';

interface Addon {
  version(): string;
  trace(width: number, height: number, rgba: Uint8Array, settings: string): Promise<string>;
  traceSync(width: number, height: number, rgba: Uint8Array, settings: string): string;
}

const ADDON = '../tracesmith.node';

let addon: Addon | undefined;

function engine(): Addon {
  try {
    addon ??= createRequire(import.meta.url)(ADDON) as Addon;
    return addon;
  } catch (cause) {
    const message = `the native engine could not be loaded (npm run build makes it): ${cause}`;
    throw new TracesmithError('engine_unavailable', message, { cause });
  }
}

/** Loads the addon now instead of at the first call. */
export async function init(): Promise<void> {
  engine();
}

/** Traces `image` to SVG text on a thread of its own; the pixels are copied first, so they may change meanwhile. */
export async function trace(image: ImageLike, options?: Options): Promise<string> {
  const settings = settingsOf(options);
  const { width, height, rgba } = checkImage(image);
  return engine().trace(width, height, rgba, settings).catch(rethrow);
}

/** Traces `image` to SVG text on the calling thread. */
export function traceSync(image: ImageLike, options?: Options): string {
  const settings = settingsOf(options);
  const { width, height, rgba } = checkImage(image);
  const addon = engine();
  try {
    return addon.traceSync(width, height, rgba, settings);
  } catch (thrown) {
    return rethrow(thrown);
  }
}

/** The engine's version. */
export function version(): string {
  return engine().version();
}

function rethrow(thrown: unknown): never {
  throw fromEngine(thrown instanceof Error ? thrown.message : String(thrown), thrown);
}
