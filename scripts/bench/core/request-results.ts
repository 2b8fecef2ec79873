// What the benchmark finds out about the service.

/** A picture as it is uploaded. */
export interface Upload {
  side: number;
  fileBytes: number;
}

/** Calls of the service by a number of connections, over all rounds. */
export interface Cell {
  side: number;
  connections: number;
  workers: number;
  /** Requests answered in a second, of each round. */
  perSecond: number[];
  latenciesMs: number[];
  /** Requests that were not answered with a drawing. */
  refused: number;
  /** Processor time for each request that was answered, of each round: of the service's process, and of the callers'. */
  serviceCpuMs: number[];
  callerCpuMs: number[];
  /** Of each request, the part of its latency that was decoding and tracing, as the service tells in Server-Timing. */
  engineMs: number[];
}

/** What there is to compare the service with. */
export interface Floor {
  side: number;
  /** Decoding and tracing, with no service around; a sample a round. */
  aloneCpuMs: number[];
  aloneWallMs: number[];
  /** Latencies of a server that only reads the same body and sends as long an answer, to one caller. */
  bareMs: number[];
  /** Of the first request that a service with warm workers gets for such a picture. */
  firstMs: number;
}

export interface RequestResults {
  uploads: Upload[];
  cells: Cell[];
  floors: Floor[];
  /** The same calls of a service of one worker and of one of two, taking turns. */
  one: Cell;
  two: Cell;
}
