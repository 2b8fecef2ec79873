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
