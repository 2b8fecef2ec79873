import type { Options } from 'tracesmith-wasm';

/** To the trace worker. */
export interface TraceRequest {
  image: Blob;
  options: Options;
  engine: WebAssembly.Module;
}

/** An SVG and its statistics. */
export interface Traced {
  svg: Blob;
  width: number;
  height: number;
  paths: number;
  nodes: number;
  gzipBytes: number;
  decodeMs: number;
  traceMs: number;
}

/** From the trace worker: progress messages, from 0 to 1, then one final message. */
export type TraceReply = { progress: number } | FinalTraceReply;
export type FinalTraceReply = Traced | { error: string };
