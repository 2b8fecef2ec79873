/** A header that an answer carries besides those of every answer. */
export type ProblemHeader = 'Allow' | 'Retry-After' | 'WWW-Authenticate';

export interface ProblemRow {
  status: number;
  /** For the pages that document it: when a caller meets it. */
  when: string;
  headers?: readonly ProblemHeader[];
  /** Further members of its body. */
  members?: readonly ('errors' | 'maxBytes' | 'maxPixels' | 'maxSide')[];
  /** The request does not count against the caller's rate. */
  givenBack?: true;
  /** The connection cannot, or should not, carry another request. */
  close?: true;
}

/** Every failure a caller can meet, in the order of the checks. The reference and the tests are made from it. */
export const PROBLEMS = {
  bad_request: {
    status: 400,
    when: 'Broken HTTP; no Host header, more than one, or one that is no host.',
    close: true,
  },
  request_timeout: { status: 408, when: 'Headers or body came too slowly.', close: true },
  headers_too_large: { status: 431, when: 'The headers are too large.', close: true },
  not_found: { status: 404, when: 'Nothing at this path.' },
  method_not_allowed: {
    status: 405,
    when: 'Not a method of this path; `Allow` lists those.',
    headers: ['Allow'],
  },
  missing_credentials: {
    status: 401,
    when: 'No `Authorization` header.',
    headers: ['WWW-Authenticate'],
  },
  invalid_authorization: {
    status: 400,
    when: 'The header is repeated or not of the form `Bearer <API_KEY>`.',
    headers: ['WWW-Authenticate'],
  },
  invalid_api_key: {
    status: 401,
    when: 'The key is malformed, unknown, revoked or expired; the answer does not say which.',
    headers: ['WWW-Authenticate'],
  },
  auth_unavailable: {
    status: 503,
    when: 'The keys cannot be looked up at the moment.',
    headers: ['Retry-After'],
    givenBack: true,
  },
  concurrency_limited: {
    status: 429,
    when: 'The account has as many requests under way as it may.',
    headers: ['Retry-After'],
  },
  rate_limited: { status: 429, when: 'The account has used up its rate.', headers: ['Retry-After'] },
  not_acceptable: { status: 406, when: '`Accept` allows neither JSON nor SVG.' },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `multipart/form-data`, or is compressed.',
  },
  malformed_multipart: { status: 400, when: 'No boundary, a truncated body, a malformed part.' },
  missing_file: { status: 400, when: 'No part `file`.' },
  file_not_binary: { status: 400, when: 'The part `file` has no filename.' },
  unexpected_part: { status: 400, when: 'A part of another name, or a part twice.' },
  payload_too_large: {
    status: 413,
    when: 'The file has too many bytes, declared or sent.',
    members: ['maxBytes'],
  },
  config_too_large: { status: 413, when: 'The config is too long.', members: ['maxBytes'] },
  invalid_config_json: { status: 400, when: 'The config is not a JSON object.' },
  invalid_config: {
    status: 422,
    when: 'An option is unknown, given twice, of the wrong type or out of range.',
    members: ['errors'],
  },
  unsupported_image_format: { status: 415, when: 'The file is none of the five formats.' },
  invalid_image: { status: 422, when: 'The file is empty, corrupt or truncated.' },
  image_too_large: {
    status: 413,
    when: 'Too many pixels, or a side too long.',
    members: ['maxPixels', 'maxSide'],
  },
  overloaded: {
    status: 503,
    when: 'The wait would be too long, or memory is short.',
    headers: ['Retry-After'],
    givenBack: true,
  },
  shutting_down: {
    status: 503,
    when: 'The service is about to end.',
    headers: ['Retry-After'],
    givenBack: true,
    close: true,
  },
  processing_timeout: { status: 504, when: 'The image took too long to decode and trace.' },
  engine_failure: { status: 500, when: 'The engine failed on this image.', givenBack: true },
  internal: { status: 500, when: 'The service failed.', givenBack: true },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

export function problemRow(code: ProblemCode): ProblemRow {
  return PROBLEMS[code];
}
