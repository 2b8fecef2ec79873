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

/** How the picture lies in the window of the stage: picture × scale + offset, in CSS pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** What the stage shows. */
export interface Scene {
  /** Of the stage, in CSS pixels. */
  width: number;
  height: number;
  /** Device pixels in a CSS pixel. */
  density: number;
  view: View;
  /** Left of this the picture is shown, right of it the drawing; in CSS pixels. */
  splitPx: number;
  outlines: boolean;
  nodes: boolean;
}

/** To the worker that paints. */
export interface PaintMessage {
  canvas?: OffscreenCanvas;
  scene?: Scene;
  picture?: Blob;
  /** Absent in a message about something else; null while there is none. */
  drawing?: Blob | null;
}
