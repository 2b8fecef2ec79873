/** The engine's URL, a response that contains it, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;
/** Reads and compiles a module. URLs are relative to the package. */
export declare function compileModule(source: WasmSource): Promise<WebAssembly.Module>;
/** Compiles a module on the calling thread. */
export declare function compileModuleSync(source: BufferSource | WebAssembly.Module): WebAssembly.Module;
