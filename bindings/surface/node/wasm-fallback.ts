// The engine in WebAssembly, behind the surface of the native one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { TracesmithError } from './errors.ts';
import type { ImageLike } from './image.ts';
import type { Options } from './options.ts';
import type { Watch } from './watch.ts';

let tracer: Tracer | undefined;

/** On a worker thread, as the native engine traces on one of its own. */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  tracer ??= new Tracer();
  return tracer.trace(image, options, watch).catch(ownError);
}

export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  try {
    load();
    return wasm.traceSync(image, options, watch);
  } catch (thrown) {
    return ownError(thrown);
  }
}

export function version(): string {
  load();
  return wasm.version();
}

function load(): void {
  wasm.initSync(readFileSync(createRequire(import.meta.url).resolve('tracesmith-wasm/engine_bg.wasm')));
}

/** The two packages have a class each; callers know that of the package they use. */
function ownError(thrown: unknown): never {
  if (!(thrown instanceof wasm.TracesmithError)) throw thrown;
  throw new TracesmithError(thrown.code, thrown.message, { errors: thrown.errors, cause: thrown });
}
