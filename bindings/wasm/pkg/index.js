var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
/** Raster image to SVG, in WebAssembly: Node.js, browsers, workers, edge run times. */
import * as engine from './engine.js';
import { fromEngine, TracesmithError } from './errors.js';
import { bytesOf, checkImage } from './image.js';
import { settingsOf } from './validate.js';
export { TracesmithError } from './errors.js';
export { optionTable } from './options.js';
export { validateOptions } from './validate.js';
let compiled;
let loading;
// Undefined until first used, and again after a trap: a trap leaves the memory in no known state.
let instance;
/** Loads the engine; without `source` from the file beside this one. Further calls do nothing. */
export function init(source) {
    loading ??= load(source).catch((cause) => {
        loading = undefined;
        throw new TracesmithError('engine_unavailable', `the engine could not be loaded: ${cause}`, { cause });
    });
    return loading;
}
/** Like `init`, from bytes or a compiled module, at once: for workers that are handed the module. */
export function initSync(source) {
    compiled ??= source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
    loading ??= Promise.resolve();
}
/** Traces `image` to SVG text; loads the engine first where `init` was not called. Runs on the calling thread. */
export async function trace(image, options) {
    await init();
    return traceSync(image, options);
}
/** Traces `image` to SVG text. `init` must have finished. */
export function traceSync(image, options) {
    const settings = settingsOf(options);
    const { width, height, rgba } = checkImage(image);
    return call(() => engine.trace(width, height, rgba, settings));
}
/** Decodes a BMP to a picture. The limits are checked before its pixels are allocated. */
export function decodeBmp(bytes, limits) {
    const checked = bytesOf(bytes);
    if (checked === undefined)
        throw new TracesmithError('invalid_image', 'a BMP must be a Uint8Array');
    const answer = call(() => engine.decode_bmp(checked, limits.maxPixels, limits.maxSide));
    const header = new DataView(answer.buffer, answer.byteOffset, 8);
    return { width: header.getUint32(0, true), height: header.getUint32(4, true), data: answer.subarray(8) };
}
/** The engine's version. */
export function version() {
    return call(() => engine.version());
}
/** The option table that this very engine was compiled with; `optionTable` is the same, as a typed constant. */
export function engineOptionTable() {
    return JSON.parse(call(() => engine.option_table()));
}
/** The engine's memory at this moment. It never shrinks; `recycle` gives it back. */
export function memoryBytes() {
    return instance?.memory.buffer.byteLength ?? 0;
}
/** Drops the engine's instance, and with it its memory; the next call makes a new one in about a millisecond. */
export function recycle() {
    instance = undefined;
}
function call(run) {
    if (compiled === undefined) {
        throw new TracesmithError('not_initialized', 'the engine is not loaded: await init() first');
    }
    instance ??= engine.initSync({ module: compiled });
    try {
        return run();
    }
    catch (thrown) {
        if (typeof thrown === 'string')
            throw fromEngine(thrown);
        recycle();
        throw new TracesmithError('engine_failure', `the engine failed: ${thrown}`, { cause: thrown });
    }
}
async function load(source) {
    const found = await (source ?? new URL('./engine_bg.wasm', import.meta.url));
    compiled ??= await compile(found);
}
async function compile(source) {
    if (source instanceof WebAssembly.Module)
        return source;
    if (typeof source === 'string' || source instanceof URL)
        return compile(await read(source));
    if (typeof Response === 'function' && source instanceof Response) {
        if (!source.ok)
            throw new Error(`${source.url} answered ${source.status}`);
        return WebAssembly.compile(await source.arrayBuffer());
    }
    return WebAssembly.compile(source);
}
async function read(address) {
    const url = new URL(address, import.meta.url);
    if (url.protocol !== 'file:')
        return fetch(url);
    // Node's fetch reads no files. Bundlers for browsers must not try to resolve the name, hence not a literal.
    const files = 'node:fs/promises';
    const { readFile } = (await import(__rewriteRelativeImportExtension(/* webpackIgnore: true */ /* @vite-ignore */ files)));
    return readFile(url);
}
