// What a run of the benchmark finds out: written as JSON, read by the reports.
import type { RequestResults } from './request-results.ts';

/** One engine in one form, as the report names it. */
export interface ContenderInfo {
  id: string;
  name: string;
  /** How it runs, for the report. */
  about: string;
  isOurs: boolean;
}

export interface PictureInfo {
  /** Of one kind are the pictures that the report takes together. */
  kind: string;
  name: string;
  mode: 'color' | 'binary';
  width: number;
  height: number;
}

/** One engine on one picture. */
export interface Measurement {
  picture: string;
  contender: string;
  /** Processor time of one call, from each round; in milliseconds, of all threads. */
  cpuMs: number[];
  wallMs: number[];
  /** Of the first call in a process that has just loaded the engine. */
  firstCpuMs: number;
  firstWallMs: number;
  /** Processor time of one call by stage, where the engine tells when a stage begins. */
  stagesMs?: Record<string, number>;
  /** Size of the drawing. */
  bytes: number;
  /** How much memory the first call added to its process, at most. */
  addedBytes: number;
  /** What WebAssembly's own memory came to, where the engine tells. */
  engineBytes?: number;
  /** Of the rendered drawing, against the picture; absent where there is no renderer, or it gave up. */
  psnr?: number;
  ssim?: number;
}

/** What is not in the report, and why. */
export interface Gap {
  what: string;
  why: string;
}

export interface Results {
  /** Of the form of this object: results of another cannot be read. */
  format: 1;
  date: string;
  machine: string;
  commit: string;
  mode: string;
  contenders: ContenderInfo[];
  pictures: PictureInfo[];
  measurements: Measurement[];
  /** Where the service was measured. */
  requests?: RequestResults;
  gaps: Gap[];
}
