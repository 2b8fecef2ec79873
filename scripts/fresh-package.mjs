// Preloaded by the tests where the committed WebAssembly package is stale: `tracesmith-wasm` is then the one just built.
import { register } from 'node:module';

const fresh = process.env.TRACESMITH_WASM;
if (fresh) {
  const hook = `export function resolve(specifier, context, next) {
    if (specifier === 'tracesmith-wasm') return { url: ${JSON.stringify(fresh)}, shortCircuit: true };
    return next(specifier, context);
  }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
