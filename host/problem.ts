import { STATUS_CODES } from 'node:http';

interface Row {
  status: number;
  /** The request does not count against the caller's rate. */
  givenBack?: true;
  /** The connection cannot, or should not, carry another request. */
  close?: true;
}

/** Every failure a caller can meet. */
export const PROBLEMS = {
  bad_request: { status: 400, close: true },
  request_timeout: { status: 408, close: true },
  headers_too_large: { status: 431, close: true },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  missing_credentials: { status: 401 },
  invalid_authorization: { status: 400 },
  invalid_api_key: { status: 401 },
  rate_limited: { status: 429 },
  concurrency_limited: { status: 429 },
  not_acceptable: { status: 406 },
  unsupported_media_type: { status: 415 },
  malformed_multipart: { status: 400 },
  missing_file: { status: 400 },
  file_not_binary: { status: 400 },
  unexpected_part: { status: 400 },
  payload_too_large: { status: 413 },
  config_too_large: { status: 413 },
  invalid_config_json: { status: 400 },
  invalid_config: { status: 422 },
  unsupported_image_format: { status: 415 },
  invalid_image: { status: 422 },
  image_too_large: { status: 413 },
  overloaded: { status: 503, givenBack: true },
  shutting_down: { status: 503, givenBack: true, close: true },
  auth_unavailable: { status: 503, givenBack: true },
  processing_timeout: { status: 504 },
  engine_failure: { status: 500, givenBack: true },
  internal: { status: 500, givenBack: true },
} as const satisfies Record<string, Row>;

export type ProblemCode = keyof typeof PROBLEMS;

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

  get #row(): Row {
    return PROBLEMS[this.code];
  }
}

/** Anything thrown becomes a problem; what is not one already is a bug, and is told without detail. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('internal', 'The service failed. Nothing is wrong with the request.', { cause: error });
}

export const PROBLEM_TYPE = 'application/problem+json';

/** The body of RFC 9457. */
export function problemBody(problem: Problem, requestId: string): string {
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    requestId,
    ...problem.members,
  });
}
