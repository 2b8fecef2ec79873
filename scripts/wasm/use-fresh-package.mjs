// Preloaded by the tests if the committed WebAssembly package is stale: resolves `tracesmith-wasm` to the new build.
import { register } from 'node:module';

const fresh = process.env.TRACESMITH_WASM;
if (fresh) {
  const hook = `export function resolve(specifier, context, next) {
    const files = {
      'tracesmith-wasm': 'index.js',
      'tracesmith-wasm/tracer': 'tracer.js',
      'tracesmith-wasm/engine_bg.wasm': 'engine_bg.wasm',
      'tracesmith-wasm/engine_gradients_bg.wasm': 'engine_gradients_bg.wasm',
    };
    const file = Object.hasOwn(files, specifier) ? files[specifier] : undefined;
    if (file !== undefined) return { url: new URL(file, ${JSON.stringify(fresh)}).href, shortCircuit: true };
    return next(specifier, context);
  }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
