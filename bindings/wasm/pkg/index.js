/** Raster image to SVG in WebAssembly, for Node.js, Deno, browsers, workers and edge runtimes. */
import { parseEngineError, TracesmithError } from './shared/errors.js';
import { bytesOf, checkImage } from './shared/image.js';
import { watchSync } from './shared/progress.js';
import { serializeOptions } from './shared/validate-options.js';
import * as engine from './engine.js';
import { warmUpPicture } from './warm-up-picture.js';
export { TracesmithError } from './shared/errors.js';
export { optionTable } from './shared/options.js';
export { validateOptions } from './shared/validate-options.js';
const WARM_UP_MS = 400;
/** Ends the warm-up where the clock does not advance while code runs, as in some edge runtimes. */
const MAX_WARM_UP_ROUNDS = 120;
/** The warm-up yields to other work on its thread this often: about one frame. */
const YIELD_INTERVAL_MS = 15;
let compiled;
let loading;
let warming;
// Undefined before the first call and after a trap, which leaves the memory in an unknown state.
let instance;
let isBusy = false;
/**
 * Loads the engine: from a source, or from `engine_bg.wasm` beside this module. Warms it up if asked to. Idempotent. Rejects with
 * `engine_unavailable` if the engine cannot be loaded; the next call then tries again.
 */
export async function init(from) {
    const { source, warm = false } = isOptions(from) ? from : { source: from };
    loading ??= load(source).catch((cause) => {
        loading = undefined;
        if (cause instanceof TracesmithError)
            throw cause;
        throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
    });
    await loading;
    if (!warm)
        return;
    warming ??= warmUp().catch((cause) => {
        warming = undefined;
        throw cause;
    });
    await warming;
}
/** No source is a plain object. */
function isOptions(from) {
    return typeof from === 'object' && Object.getPrototypeOf(from) === Object.prototype;
}
/** Synchronous `init` from bytes or a compiled module: for workers that receive the module. */
export function initSync(source) {
    if (!(source instanceof WebAssembly.Module))
        checkSimd();
    compiled ??= source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
    loading ??= Promise.resolve();
}
/**
 * Traces `image` to SVG on the calling thread. If `init` was not called, loads the engine first. `Tracer`, in
 * `tracesmith-wasm/tracer`, traces in a worker.
 */
export async function trace(image, options, watch) {
    await init();
    return traceSync(image, options, watch);
}
/** Traces `image` to SVG. `init` must have finished. During the trace, only `watch.onProgress` can stop it. */
export function traceSync(image, options, watch) {
    const serialized = serializeOptions(options);
    const { width, height, rgba } = checkImage(image);
    return watchSync(watch, (report) => callEngine(() => engine.trace(width, height, rgba, serialized, report && { report })));
}
/** Decodes a BMP file. Its size is checked against `limits` before memory is allocated for pixels. */
export function decodeBmp(bytes, limits) {
    const checked = bytesOf(bytes);
    if (checked === undefined)
        throw new TracesmithError('invalid_image', 'a BMP must be a Uint8Array');
    const decoded = callEngine(() => engine.decode_bmp(checked, limits.maxPixels, limits.maxSide));
    const size = new DataView(decoded.buffer, decoded.byteOffset, 8);
    return { width: size.getUint32(0, true), height: size.getUint32(4, true), data: decoded.subarray(8) };
}
/** The engine's version. */
export function version() {
    return callEngine(() => engine.version());
}
/** The option table of the loaded engine. `optionTable` is the same table as a typed constant. */
export function engineOptionTable() {
    return JSON.parse(callEngine(() => engine.option_table()));
}
/** The current size of the engine's memory. It never shrinks; `recycle` frees it. */
export function memoryBytes() {
    return instance?.memory.buffer.byteLength ?? 0;
}
/** Replaces the engine's instance by a new one, which takes about a millisecond, so that its memory can be freed. */
export function recycle() {
    assertIdle();
    instance = undefined;
    // The glue would hold the old instance until it has a new one.
    if (compiled !== undefined)
        instance = engine.initSync({ module: compiled });
}
/** The glue holds one instance, which must not be replaced during a call. */
function assertIdle() {
    if (isBusy)
        throw new TracesmithError('busy', 'the engine cannot be called from onProgress');
}
function callEngine(run) {
    assertIdle();
    if (compiled === undefined) {
        throw new TracesmithError('not_initialized', 'the engine is not loaded: await init() first');
    }
    instance ??= engine.initSync({ module: compiled });
    isBusy = true;
    try {
        return run();
    }
    catch (thrown) {
        if (typeof thrown === 'string')
            throw parseEngineError(thrown);
        instance = undefined;
        throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
    }
    finally {
        isBusy = false;
    }
}
async function load(source) {
    // Bundlers recognize exactly this expression and copy the file to their output.
    const resolved = await (source ?? new URL('./engine_bg.wasm', import.meta.url));
    compiled ??= await compile(resolved);
}
/**
 * Traces until the JavaScript engine has compiled and optimized the module, so that the first image does not wait for it. Yields to
 * other work on the calling thread.
 */
async function warmUp() {
    const picture = warmUpPicture();
    const start = performance.now();
    let lastYield = start;
    for (let round = 0; round < MAX_WARM_UP_ROUNDS && performance.now() - start < WARM_UP_MS; round++) {
        for (const colorMode of ['color', 'binary'])
            traceSync(picture, { colorMode });
        if (performance.now() - lastYield < YIELD_INTERVAL_MS)
            continue;
        await new Promise((resolve) => setTimeout(resolve));
        lastYield = performance.now();
    }
}
async function compile(source) {
    if (source instanceof WebAssembly.Module)
        return source;
    checkSimd();
    if (typeof source === 'string' || source instanceof URL)
        return compile(await read(source));
    // In Node.js, naming `Response` loads its HTTP client, which takes 18 ms.
    if (!ArrayBuffer.isView(source) && typeof Response === 'function' && source instanceof Response) {
        if (!source.ok)
            throw new Error(`${source.url} returned status ${source.status}`);
        return WebAssembly.compile(await source.arrayBuffer());
    }
    return WebAssembly.compile(source);
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
