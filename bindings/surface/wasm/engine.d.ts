// The part of wasm-bindgen's glue, engine.js, that the surface uses. The package contains the complete, generated engine.d.ts.
export function initSync(source: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
export function version(): string;
export function option_table(): string;
export function trace(
  width: number,
  height: number,
  rgba: Uint8Array,
  options: string,
  observer?: { report(stage: string, fraction: number): boolean },
): string;
