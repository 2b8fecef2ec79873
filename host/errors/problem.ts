import { STATUS_CODES } from 'node:http';
import { type ProblemCode, type ProblemRow, problemRow } from './catalog.ts';

/** One member of `errors`: where in the config, as a JSON pointer, and what is wrong there. */
export interface ConfigError {
  pointer: string;
  detail: string;
}

interface Extra {
  headers?: Record<string, string>;
  /** Further members of the body: `errors`, `maxPixels`, … */
  members?: Record<string, unknown>;
  /** What went wrong inside; logged, never sent. */
  cause?: unknown;
}

/** A failure on its way to the caller. `detail` is sent: it never holds a secret or an internal name. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;

  constructor(code: ProblemCode, detail: string, extra: Extra = {}) {
    super(detail, { cause: extra.cause });
    this.code = code;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }

  get status(): number {
    return this.#row.status;
  }

  get givenBack(): boolean {
    return this.#row.givenBack === true;
  }

  get close(): boolean {
    return this.#row.close === true;
  }

  get #row(): ProblemRow {
    return problemRow(this.code);
  }
}

/** Anything thrown becomes a problem; what is not one already is a bug, and is told without detail. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('internal', 'The service failed. Nothing is wrong with the request.', { cause: error });
}

export const PROBLEM_TYPE = 'application/problem+json';

/** The members of RFC 9457, and ours. */
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

/** The body of an answer. */
export function problemBody(problem: Problem, requestId: string): string {
  return JSON.stringify(problemFields(problem, requestId));
}
