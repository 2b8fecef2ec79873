// From what callers name the engine by to a compiled module.
import { TracesmithError } from './shared/errors.js';
/** Reads and compiles a module. URLs are relative to the package. */
export async function compileModule(source) {
    const resolved = await source;
    if (resolved instanceof WebAssembly.Module)
        return resolved;
    checkSimd();
    if (typeof resolved === 'string' || resolved instanceof URL)
        return compileModule(await read(resolved));
    // In Node.js, naming `Response` loads its HTTP client, which takes 18 ms.
    if (!ArrayBuffer.isView(resolved) && typeof Response === 'function' && resolved instanceof Response) {
        if (!resolved.ok)
            throw new Error(`${resolved.url} returned status ${resolved.status}`);
        return WebAssembly.compile(await resolved.arrayBuffer());
    }
    return WebAssembly.compile(resolved);
}
/** Compiles a module on the calling thread. */
export function compileModuleSync(source) {
    if (source instanceof WebAssembly.Module)
        return source;
    checkSimd();
    return new WebAssembly.Module(source);
}
/** A module with one function that uses `i8x16.splat` and `i8x16.popcnt`: valid only where SIMD is supported. */
const SIMD_PROBE = Uint8Array.of(...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0], ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
/** Without this check, the error message would be a byte offset in the module. */
function checkSimd() {
    if (WebAssembly.validate(SIMD_PROBE))
        return;
    const message = 'this runtime has no WebAssembly SIMD, which the engine requires';
    throw new TracesmithError('engine_unavailable', message);
}
async function read(address) {
    const url = new URL(address, import.meta.url);
    // Node's fetch does not read files. An import of node:fs would make bundlers for browsers look for that module.
    const fs = url.protocol === 'file:'
        ? globalThis.process?.getBuiltinModule?.('node:fs/promises')
        : undefined;
    return fs === undefined ? fetch(url) : fs.readFile(url);
}
