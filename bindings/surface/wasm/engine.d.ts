// What the surface uses of the glue that wasm-bindgen writes as engine.js; the package carries its own, full engine.d.ts.
export function initSync(source: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
export function version(): string;
export function option_table(): string;
export function trace(
  width: number,
  height: number,
  rgba: Uint8Array,
  settings: string,
  observer?: { reached(stage: string, fraction: number): boolean },
): string;
export function decode_bmp(bytes: Uint8Array, maxPixels: number, maxSidePx: number): Uint8Array;
