import type { Options } from 'tracesmith-wasm';

/** To the worker that traces. */
export interface TraceRequest {
  picture: Blob;
  options: Options;
  engine: WebAssembly.Module;
}

/** A drawing and what there is to say about it. */
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

/** From the worker that traces: how much is done, 0 to 1, and then the end. */
export type TraceReply = { done: number } | TraceEnd;
export type TraceEnd = Traced | { problem: string };
