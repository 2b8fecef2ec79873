import { STATUS_CODES } from 'node:http';
import { DETAILS, type DetailName, type ProblemCode, problemType } from './catalog.ts';

/** One member of `errors`: a JSON pointer into the config, and what is wrong there. */
export interface ConfigError {
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  headers?: Record<string, string>;
  /** Further members of the body: `errors`, `maxPixels`, … */
  members?: Record<string, unknown>;
  /** The underlying error; logged, never sent. */
  cause?: unknown;
  /** The limit that was exceeded is no setting. */
  isFixedLimit?: boolean;
}

/** An error to report to the client. The message is sent as `detail`: it must not contain secrets or internal names. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;
  readonly isFixedLimit: boolean;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    const { stackTraceLimit } = Error;
    // Only the stacks of these are logged, and taking one is a good part of what it costs to reject a request.
    if (problemType(code).status !== 500) Error.stackTraceLimit = 0;
    super(detail, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.isFixedLimit = options.isFixedLimit ?? false;
  }

  get status(): number {
    return problemType(this.code).status;
  }

  get refundsRateLimit(): boolean {
    return problemType(this.code).refundsRateLimit === true;
  }

  get closesConnection(): boolean {
    return problemType(this.code).closesConnection === true;
  }
}

/** A problem whose text is a row of the catalog. */
export function problem(name: DetailName, options: ProblemOptions = {}): Problem {
  const [code, detail] = DETAILS[name];
  return new Problem(code, detail, options);
}

/** Converts anything thrown to a problem. Anything but a `Problem` is a bug and becomes `internal`, without its message. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : problem('internal', { cause: error });
}

/** The media type of problem documents (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/** The members of a problem document: those of RFC 9457, `code`, `requestId` and the problem's own. */
export function problemFields(problem: Problem, requestId: string): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    requestId,
    ...problem.members,
  };
}

/** The problem document as JSON text. */
export function problemBody(problem: Problem, requestId: string): string {
  return JSON.stringify(problemFields(problem, requestId));
}
