/** Raster image to SVG in WebAssembly, for Node.js, Deno, browsers, workers and edge runtimes. */
import { parseEngineError, TracesmithError } from './shared/errors.js';
import { checkImage } from './shared/image.js';
import { checkWatch, watchSync } from './shared/progress.js';
import { serializeOptions } from './shared/validate-options.js';
import { compileModule, compileModuleSync } from './compile-module.js';
import * as engine from './engine.js';
import { warmUpPicture } from './warm-up-picture.js';
export { TracesmithError } from './shared/errors.js';
export { optionTable } from './shared/options.js';
export { validateOptions } from './shared/validate-options.js';
export { decodeBmp } from './decode-bmp.js';
const WARM_UP_MS = 400;
/** Ends the warm-up where the clock does not advance while code runs, as in some edge runtimes. */
const MAX_WARM_UP_ROUNDS = 120;
/** The warm-up yields to other work on its thread this often: about one frame. */
const YIELD_INTERVAL_MS = 15;
/** The engines that are being loaded, or were. */
const loads = {};
let compiled;
let build;
let warming;
// Undefined before the first call and after a trap, which leaves the memory in an unknown state.
let instance;
let isBusy = false;
/**
 * Loads the engine: from a source, or from a file beside this module. Warms it up if asked to. Idempotent. Rejects with
 * `engine_unavailable` if the engine cannot be loaded; the next call then tries again.
 */
export async function init(from) {
    const { source, gradients = false, warm = false } = isOptions(from) ? from : { source: from };
    await ensureLoaded(source, gradients);
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
export function initSync(source, { gradients = false } = {}) {
    if (compiled !== undefined && (!gradients || build === 'gradients'))
        return;
    const wanted = gradients ? 'gradients' : 'given';
    use(wanted, compileModuleSync(source));
    loads[wanted] ??= Promise.resolve();
}
/**
 * Traces `image` to SVG on the calling thread. If the engine that `options` need is not loaded, loads it first. `Tracer`, in
 * `tracesmith-wasm/tracer`, traces in a worker.
 */
export async function trace(image, options, watch) {
    const serialized = serializeOptions(options);
    await ensureLoaded(undefined, asksForGradients(serialized));
    return traceSerialized(image, serialized, watch);
}
/**
 * Traces `image` to SVG. `init` must have finished, for the option `gradients` with `gradients`. During the trace, only
 * `watch.onProgress` can stop it.
 */
export function traceSync(image, options, watch) {
    return traceSerialized(image, serializeOptions(options), watch);
}
function traceSerialized(image, options, watch) {
    const { width, height, rgba } = checkImage(image);
    // A source may be of either engine, which tells itself whether it knows gradients.
    if (asksForGradients(options) && (build === undefined || build === 'plain')) {
        const message = 'the engine with gradients is not loaded: await init({ gradients: true }) first';
        throw new TracesmithError('not_initialized', message);
    }
    return watchSync(checkWatch(watch), (report) => callEngine(() => engine.trace(width, height, rgba, options, report && { report })));
}
function asksForGradients(serialized) {
    return serialized.split('\n').includes('gradients=true');
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
            throw forUsers(parseEngineError(thrown));
        instance = undefined;
        throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
    }
    finally {
        isBusy = false;
    }
}
/** What the engine says of an option that it was compiled without helps those who compile it; users of this package load a file. */
function forUsers(error) {
    if (error.errors[0]?.pointer !== '/gradients')
        return error;
    const detail = 'needs the engine in engine_gradients_bg.wasm: load that file, with init({ source, gradients: true }) or as the gradientsEngine of a Tracer';
    return new TracesmithError('invalid_option', `option gradients ${detail}`, {
        errors: [{ pointer: '/gradients', detail }],
    });
}
/** Loads an engine unless the one that is there, or on its way, will do. */
function ensureLoaded(source, gradients) {
    if (gradients && (source !== undefined || loads.given === undefined))
        return load('gradients', source);
    if (loads.given !== undefined || (source !== undefined && Object.keys(loads).length === 0))
        return load('given', source);
    // The engine with gradients will do. If it cannot be loaded, the other one may still be.
    return loads.gradients?.catch(() => ensureLoaded(source, false)) ?? load('plain');
}
function load(wanted, source) {
    loads[wanted] ??= fetchModule(wanted, source).catch((cause) => {
        delete loads[wanted];
        if (cause instanceof TracesmithError)
            throw cause;
        throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
    });
    return loads[wanted];
}
async function fetchModule(wanted, source) {
    const module = await compileModule(source ?? ownFile(wanted));
    // Meanwhile, another engine may have been loaded: only gradients replace it, and one from a source only if they are from one as well.
    const replaces = wanted === 'gradients' && (source !== undefined || build === 'plain');
    if (compiled === undefined || replaces)
        use(wanted, module);
}
function ownFile(wanted) {
    // Bundlers recognize exactly these expressions and copy the files to their output.
    if (wanted === 'gradients')
        return new URL('./engine_gradients_bg.wasm', import.meta.url);
    return new URL('./engine_bg.wasm', import.meta.url);
}
function use(wanted, module) {
    assertIdle();
    [compiled, build, warming] = [module, wanted, undefined];
    if (instance !== undefined)
        recycle();
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
        for (const options of warmUpOptions())
            traceSync(picture, options);
        if (performance.now() - lastYield < YIELD_INTERVAL_MS)
            continue;
        await new Promise((resolve) => setTimeout(resolve));
        lastYield = performance.now();
    }
}
function warmUpOptions() {
    const options = [{ colorMode: 'color' }, { colorMode: 'binary' }];
    return build === 'gradients' ? [...options, { gradients: true }] : options;
}
