// The WebAssembly engine, with the functions of the native one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { TracesmithError } from '../shared/errors.ts';
import type { ImageLike } from '../shared/image.ts';
import type { Options } from '../shared/options.ts';
import type { Watch } from '../shared/progress.ts';

let tracer: Tracer | undefined;

/** Traces in a worker, because the native engine also traces on another thread. */
export async function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
  tracer ??= new Tracer();
  return tracer.trace(image, options, watch).catch(rethrowAsOwnError);
}

export function traceSync(image: ImageLike, options?: Options, watch?: Watch): string {
  try {
    load();
    return wasm.traceSync(image, options, watch);
  } catch (thrown) {
    return rethrowAsOwnError(thrown);
  }
}

export function version(): string {
  load();
  return wasm.version();
}

function load(): void {
  const file = createRequire(import.meta.url).resolve('tracesmith-wasm/engine_gradients_bg.wasm');
  wasm.initSync(readFileSync(file), { gradients: true });
}

/** Each package has its own `TracesmithError`. Callers of this package test for the class that it exports. */
function rethrowAsOwnError(thrown: unknown): never {
  if (!(thrown instanceof wasm.TracesmithError)) throw thrown;
  throw new TracesmithError(thrown.code, thrown.message, { errors: thrown.errors, cause: thrown });
}
