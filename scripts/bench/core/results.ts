// The results of a benchmark: written as JSON, read by the report.

/** One engine in one form, as the report names it. */
export interface ContenderInfo {
  id: string;
  name: string;
  /** A description for the report. */
  about: string;
  isOurs: boolean;
}

export interface PictureInfo {
  /** The report takes pictures of one kind together. */
  kind: string;
  name: string;
  mode: 'color' | 'binary';
  width: number;
  height: number;
  /** What the engine believes of how the picture was made, in words. */
  formation?: string;
}

/** One engine on one picture. */
export interface Measurement {
  picture: string;
  contender: string;
  /** Processor time of one call with all its threads, for each round. */
  cpuMs: number[];
  wallMs: number[];
  /** Of the first call after the engine was loaded. */
  firstCpuMs: number;
  firstWallMs: number;
  /** Processor time of one call by stage, if the engine reports its stages. */
  stagesMs?: Record<string, number>;
  /** Size of the SVG. */
  bytes: number;
  /** Growth of the resident memory during the first call. */
  addedBytes: number;
  /** Size of WebAssembly's memory, if the engine reports it. */
  engineBytes?: number;
  /** Of the rendered SVG against the picture; absent without a renderer, or if it failed. */
  psnr?: number;
  ssim?: number;
  residual?: Residual;
}

/** What the picture shows and the rendered SVG does not. */
export interface Residual {
  /** Standard deviation of a channel, in levels. */
  noise: number;
  /** Share of the pixels that differ by more than the noise. */
  above: number;
  worst: Place[];
}

/** Connected pixels that differ, in pixels of the picture. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The sum of squared differences, in variances of the noise. */
  excess: number;
}

/** Load on the service: one picture, uploaded over a number of connections, over all rounds. */
export interface RequestResults {
  side: number;
  connections: number;
  workers: number;
  /** Responses in a second, for each round. */
  perSecond: number[];
  /** Processor time of the service's process for each response, in each round. */
  serviceCpuMs: number[];
  latenciesMs: number[];
  /** The part of each latency that decoding and tracing took, as Server-Timing says. */
  engineMs: number[];
  /** Requests without an SVG as their response. */
  refused: number;
}

/** One picture as the first images of one runtime, in processes that are new each time. */
export interface StartResults {
  /** With its version. */
  runtime: string;
  picture: string;
  processes: Start[];
}

/** Wall times of one process, from its first use of the WebAssembly package. */
export interface Start {
  /** Of `import`, which loads the package's JavaScript. */
  importMs: number;
  /** Of `init()`, which loads and compiles the engine. */
  initMs: number;
  /** Of each of the first ten calls of `traceSync`. */
  tracesMs: number[];
}

/** Something that was not measured, and why. */
export interface Gap {
  what: string;
  why: string;
}

export interface Results {
  date: string;
  machine: string;
  commit: string;
  mode: string;
  contenders: ContenderInfo[];
  pictures: PictureInfo[];
  measurements: Measurement[];
  requests?: RequestResults[];
  starts?: StartResults[];
  gaps: Gap[];
}
