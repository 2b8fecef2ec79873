/** A response header that only some problems have. */
export type ProblemHeader = 'Allow' | 'Retry-After' | 'WWW-Authenticate';

/** What all problems with one code have in common. The title is the standard phrase of the status (RFC 9457, about:blank). */
export interface ProblemType {
  status: number;
  /** When a client gets this code; shown in the API reference. */
  when: string;
  headers?: readonly ProblemHeader[];
  /** Further members of the problem document. */
  members?: readonly ('errors' | 'maxBytes' | 'maxPixels' | 'maxSide')[];
  /** The request does not count against the client's rate limit. */
  refundsRateLimit?: true;
  /** The connection is closed after the response. */
  closesConnection?: true;
}

/** Every error code, in the order of the checks. The API reference and the tests are generated from this table. */
export const PROBLEMS = {
  bad_request: {
    status: 400,
    when: 'The request is not valid HTTP: for example, Host is missing, Content-Type is repeated, or Transfer-Encoding is not `chunked`; or its body comes in very many short chunks.',
    closesConnection: true,
  },
  request_timeout: {
    status: 408,
    when: 'The headers or the body did not arrive in time.',
    closesConnection: true,
  },
  headers_too_large: { status: 431, when: 'The request headers are too large.', closesConnection: true },
  not_found: { status: 404, when: 'The path does not exist.' },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method; `Allow` lists the supported ones.',
    headers: ['Allow'],
  },
  missing_credentials: {
    status: 401,
    when: 'The `Authorization` header is missing.',
    headers: ['WWW-Authenticate'],
  },
  invalid_authorization: {
    status: 400,
    when: 'The `Authorization` header is repeated or not of the form `Bearer <API_KEY>`.',
    headers: ['WWW-Authenticate'],
  },
  invalid_api_key: {
    status: 401,
    when: 'The API key is malformed, unknown, revoked or expired; the response does not say which.',
    headers: ['WWW-Authenticate'],
  },
  auth_unavailable: {
    status: 503,
    when: 'API keys cannot be verified at the moment.',
    headers: ['Retry-After'],
    refundsRateLimit: true,
  },
  concurrency_limited: {
    status: 429,
    when: 'The account has reached its limit of concurrent requests.',
    headers: ['Retry-After'],
  },
  rate_limited: {
    status: 429,
    when: 'The account has reached its rate limit.',
    headers: ['Retry-After'],
  },
  not_acceptable: { status: 406, when: 'The `Accept` header allows neither JSON nor SVG.' },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `multipart/form-data`, or it is compressed.',
  },
  malformed_multipart: {
    status: 400,
    when: 'The body is empty or truncated, a part is malformed, or the boundary is missing.',
  },
  missing_file: { status: 400, when: 'The part `file` is missing.' },
  file_not_binary: { status: 400, when: 'The part `file` has no filename.' },
  unexpected_part: { status: 400, when: 'A part is repeated or has an unknown name.' },
  payload_too_large: {
    status: 413,
    when: 'The file, or the declared length of the body, exceeds the size limit.',
    members: ['maxBytes'],
  },
  config_too_large: {
    status: 413,
    when: 'The part `config` exceeds the size limit.',
    members: ['maxBytes'],
  },
  invalid_config_json: { status: 400, when: 'The part `config` is not a JSON object.' },
  invalid_config: {
    status: 422,
    when: 'An option is unknown, repeated, of the wrong type or out of range.',
    members: ['errors'],
  },
  unsupported_image_format: { status: 415, when: 'The file is not a PNG, JPEG, WebP, GIF or BMP image.' },
  invalid_image: { status: 422, when: 'The file is empty, corrupt or truncated.' },
  image_too_large: {
    status: 413,
    when: 'The image has too many pixels, or its width or height is too large.',
    members: ['maxPixels', 'maxSide'],
  },
  overloaded: {
    status: 503,
    when: 'The wait would be too long, or the service is short of memory or connections.',
    headers: ['Retry-After'],
    refundsRateLimit: true,
  },
  shutting_down: {
    status: 503,
    when: 'The service is shutting down.',
    headers: ['Retry-After'],
    refundsRateLimit: true,
    closesConnection: true,
  },
  image_too_complex: {
    status: 422,
    when: 'The image is valid, but tracing it needs more memory or CPU time than one request may take, or it is a JPEG of very many scans; `detail` says which.',
  },
  processing_timeout: { status: 504, when: 'Decoding and tracing the image took too long.' },
  engine_failure: {
    status: 500,
    when: 'The engine failed to trace the image.',
    refundsRateLimit: true,
  },
  internal: { status: 500, when: 'The service failed.', refundsRateLimit: true },
} as const satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The row of a code, with the members that only some rows have. */
export function problemType(code: ProblemCode): ProblemType {
  return PROBLEMS[code];
}

/**
 * Every detail text without values, by name: `problem(name)` makes the error. Texts with values are in details.ts.
 * A text says what is wrong and what is expected, without secrets and internal names.
 */
export const DETAILS = {
  malformed_http: ['bad_request', 'The request is not valid HTTP.'],
  invalid_host: ['bad_request', 'The request must have exactly one Host header with a valid host.'],
  repeated_content_type: ['bad_request', 'The request must have at most one Content-Type header.'],
  invalid_transfer_encoding: [
    'bad_request',
    'The only Transfer-Encoding that the service supports is "chunked", in HTTP/1.1.',
  ],
  tiny_chunks: [
    'bad_request',
    'The body comes in too many short chunks. Send it with Content-Length, or in chunks of some kilobytes.',
  ],
  slow_request: ['request_timeout', 'The request did not arrive in time.'],
  not_found: ['not_found', 'This path does not exist. To convert an image, use POST /v1/vectorize.'],
  connect_method: ['method_not_allowed', 'CONNECT is not supported: this server is not a proxy.'],
  missing_credentials: [
    'missing_credentials',
    'The Authorization header is missing. Send "Authorization: Bearer <API_KEY>".',
  ],
  invalid_authorization: [
    'invalid_authorization',
    'Send exactly one Authorization header of the form "Bearer <API_KEY>".',
  ],
  invalid_api_key: ['invalid_api_key', 'The API key is not valid.'],
  auth_unavailable: [
    'auth_unavailable',
    'API keys cannot be verified at the moment. Retry after the delay in Retry-After.',
  ],
  not_acceptable: ['not_acceptable', 'The Accept header must allow application/json or image/svg+xml.'],
  no_multipart: [
    'unsupported_media_type',
    'The body must be multipart/form-data, with the image in the part "file".',
  ],
  compressed_body: [
    'unsupported_media_type',
    'The body must not be compressed. Leave the Content-Encoding header out.',
  ],
  missing_boundary: [
    'malformed_multipart',
    'The Content-Type header has no valid boundary. Most HTTP clients add one if you do not set the header yourself.',
  ],
  empty_body: ['malformed_multipart', 'The body is empty.'],
  absent_boundary: [
    'malformed_multipart',
    'The body does not contain the boundary that the Content-Type header names.',
  ],
  malformed_multipart: ['malformed_multipart', 'The body is not valid multipart/form-data.'],
  truncated_part: ['malformed_multipart', 'The body ends in the middle of a part.'],
  unnamed_part: ['malformed_multipart', 'A part has no valid Content-Disposition header.'],
  missing_file: ['missing_file', 'The part "file" is missing.'],
  file_not_binary: [
    'file_not_binary',
    'The part "file" has no filename. Send it as a file, with a filename in its Content-Disposition header.',
  ],
  unsupported_image_format: [
    'unsupported_image_format',
    'The file is not a PNG, JPEG, WebP, GIF or BMP image.',
  ],
  empty_file: ['invalid_image', 'The file is empty.'],
  truncated_header: ['invalid_image', 'The file ends before the end of its header.'],
  corrupt_image: ['invalid_image', 'The image is corrupt or truncated.'],
  shutting_down: ['shutting_down', 'The service is shutting down. Retry after the delay in Retry-After.'],
  engine_failure: ['engine_failure', 'The image could not be traced.'],
  engine_not_started: ['engine_failure', 'The engine could not be started.'],
  internal: ['internal', 'Internal error. The request may be valid.'],
} as const satisfies Record<string, readonly [code: ProblemCode, detail: string]>;

export type DetailName = keyof typeof DETAILS;
