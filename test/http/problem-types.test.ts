import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { generateKey } from '../../host/auth/api-key.ts';
import { PROBLEM_CODES, type ProblemCode, problemType } from '../../host/errors/catalog.ts';
import { RATE_LIMIT_HEADERS } from '../../host/openapi/headers.ts';
import { Readiness } from '../../host/service/readiness.ts';
import { LimitExceeded } from '../../host/tracing/job.ts';
import { END, FILE_HEADERS, part, picture, type ServiceResponse, wireBody } from './service.ts';
import { assertDocumented } from './support/documented.ts';
import { headerOf } from './support/image-headers.ts';
import { InProcessService, RATE } from './support/in-process-service.ts';
import { bytesOf, exchangeRaw, parseResponse, type RawRequest, rawRequest } from './support/raw-request.ts';

const MAX_FILE_BYTES = 100_000;
let inside: InProcessService;
before(async () => {
  inside = await InProcessService.start({
    maxFileBytes: MAX_FILE_BYTES,
    bodyTimeoutMs: 500,
    headersTimeoutMs: 500,
  });
});
after(() => inside.stop());

const logo = picture('logo.png');
const body = wireBody(logo);

/** How to cause one error: by a request, and by a fault inside the service. `spoil` returns a function that removes the fault. */
interface Row {
  request?: (good: RawRequest) => Partial<RawRequest>;
  bytes?: (good: Buffer) => Buffer;
  spoil?: () => () => void;
}

const header = (name: string, value: string) => (good: RawRequest) => ({
  headers: [...good.headers.filter(([other]) => other !== name), [name, value] as [string, string]],
});
const without = (name: string) => (good: RawRequest) => ({
  headers: good.headers.filter(([other]) => other !== name),
});
const withBody =
  (...parts: Buffer[]) =>
  () =>
    rawRequest(inside.key, Buffer.concat(parts));
const withFile = (file: Buffer | string) => withBody(part(FILE_HEADERS, file), END);
const config = (text: string) => part(['Content-Disposition: form-data; name="config"'], text);

/** Replaces a property; the result restores it. */
function replace<T extends object, K extends keyof T>(of: T, name: K, value: T[K]): () => void {
  const before = of[name];
  of[name] = value;
  return () => {
    of[name] = before;
  };
}

// The type requires a row for each code.
const ROWS: Record<ProblemCode, Row> = {
  bad_request: { request: header('Content-Length', 'many') },
  request_timeout: { bytes: (good) => good.subarray(0, -100) },
  headers_too_large: { request: header('X-Large', 'x'.repeat(20_000)) },
  not_found: { request: () => ({ path: '/v1/vectorise' }) },
  method_not_allowed: { request: () => ({ method: 'PUT' }) },
  missing_credentials: { request: without('Authorization') },
  invalid_authorization: {
    request: (good) => ({ headers: [...good.headers, ['Authorization', `Bearer ${inside.key}`]] }),
  },
  invalid_api_key: { request: (good) => header('Authorization', `Bearer ${generateKey()}`)(good) },
  auth_unavailable: {
    request: (good) => header('Authorization', `Bearer ${generateKey()}`)(good),
    spoil: () => replace(inside.keys, 'isUpToDate', false),
  },
  concurrency_limited: { spoil: () => inside.useUpConcurrency() },
  rate_limited: { spoil: () => inside.useUpRate() },
  not_acceptable: { request: header('Accept', 'text/html') },
  unsupported_media_type: { request: header('Content-Type', 'application/json') },
  malformed_multipart: { request: withBody(body.subarray(0, -50)) },
  missing_file: { request: withBody(END) },
  file_not_binary: { request: withBody(part(['Content-Disposition: form-data; name="file"'], 'text'), END) },
  unexpected_part: { request: withBody(part(FILE_HEADERS, logo), part(FILE_HEADERS, logo), END) },
  payload_too_large: { request: withFile(Buffer.alloc(MAX_FILE_BYTES + 1)) },
  config_too_large: { request: withBody(config(' '.repeat(17_000)), part(FILE_HEADERS, logo), END) },
  invalid_config_json: { request: withBody(config('{mode}'), part(FILE_HEADERS, logo), END) },
  invalid_config: { request: withBody(config('{"mode": "splines"}'), part(FILE_HEADERS, logo), END) },
  unsupported_image_format: { request: withFile('hello') },
  invalid_image: { request: withFile(logo.subarray(0, 1000)) },
  image_too_large: { request: withFile(headerOf(30_000, 30_000, true)) },
  overloaded: { spoil: () => inside.useUpTransferMemory() },
  shutting_down: {
    spoil: () => {
      const readiness = new Readiness();
      void readiness.close();
      return replace(inside.service, 'readiness', readiness);
    },
  },
  image_too_complex: {
    spoil: () => {
      const { pool } = inside.service;
      return replace(pool, 'run', ({ file }) => Promise.reject(new LimitExceeded('cpu', file)));
    },
  },
  processing_timeout: {
    // The logo may be traced before a busy process looks at its timers.
    request: withFile(picture('landscape.jpg')),
    spoil: () => replace(inside.service.settings, 'processingTimeoutMs', 0.001),
  },
  engine_failure: {
    // The buffer of the file can no longer be transferred to the thread.
    spoil: () => {
      const { pool } = inside.service;
      const { run } = pool;
      return replace(pool, 'run', (job, options) => {
        const { buffer } = job.file;
        structuredClone(buffer, { transfer: [buffer] });
        return run.call(pool, job, options);
      });
    },
  },
  internal: {
    spoil: () =>
      replace(inside.service.queue, 'run', () => {
        throw new TypeError('a bug');
      }),
  },
};

/** Detected before authentication, so the response has no rate limit headers. */
const BEFORE_AUTHENTICATION: ProblemCode[] = [
  ...(['bad_request', 'headers_too_large', 'not_found', 'method_not_allowed'] as const),
  ...(['missing_credentials', 'invalid_authorization', 'invalid_api_key'] as const),
  ...(['auth_unavailable', 'shutting_down'] as const),
];
/** Rejected by the limiters, and so not counted. */
const NOT_COUNTED: ProblemCode[] = ['concurrency_limited', 'rate_limited'];

async function meet({ request, bytes, spoil }: Row): Promise<ServiceResponse> {
  const good = rawRequest(inside.key, body);
  const sent = bytesOf({ ...good, ...request?.(good) });
  const repair = spoil?.() ?? (() => {});
  try {
    return parseResponse(await exchangeRaw(inside.port, bytes?.(sent) ?? sent));
  } finally {
    repair();
  }
}

const remaining = () => inside.remaining;

describe('each error code', () => {
  for (const code of PROBLEM_CODES) {
    const {
      status,
      headers = [],
      members = [],
      closesConnection = false,
      refundsRateLimit = false,
    } = problemType(code);
    test(`${status} ${code}`, async () => {
      const left = remaining();
      const response = await meet(ROWS[code]);
      assert.deepEqual([response.status, response.json.code], [status, code], response.text);
      const method = code === 'method_not_allowed' ? 'PUT' : 'POST';
      assertDocumented(method, code === 'not_found' ? '/nothing' : '/v1/vectorize', response);
      assert.equal(response.headers['content-type'], 'application/problem+json');
      assert.equal(response.json.requestId, response.headers['x-request-id']);
      for (const name of headers) assert.ok(response.headers[name.toLowerCase()], `no ${name}`);
      for (const name of members) assert.ok(name in response.json, `no ${name}`);
      if (closesConnection) assert.equal(response.headers.connection, 'close');

      const isKnown = !BEFORE_AUTHENTICATION.includes(code);
      for (const name of RATE_LIMIT_HEADERS)
        assert.equal(response.headers[name.toLowerCase()] !== undefined, isKnown, name);
      if (isKnown && !NOT_COUNTED.includes(code))
        assert.equal(response.headers['x-ratelimit-remaining'], String(remaining()));
      const counts = isKnown && !refundsRateLimit && !NOT_COUNTED.includes(code);
      assert.equal(remaining(), counts ? left - 1 : left, 'what counts against the rate');
    });
  }

  test('afterwards, no resource is held and a valid request works', async () => {
    const { limiter, transferMemory, imageMemory } = inside.service;
    assert.deepEqual([limiter.inFlight, transferMemory.reservedBytes, imageMemory.reservedBytes], [0, 0, 0]);
    const response = await meet({});
    assert.equal(response.status, 200, response.text);
    assert.ok(remaining() < RATE);
  });
});

test('the response to all invalid keys is the same', async () => {
  const keys = ['secret', generateKey(), `${inside.key.slice(0, -1)}${inside.key.endsWith('0') ? '1' : '0'}`];
  const responses = await Promise.all(
    keys.map((key) => meet({ request: (good) => header('Authorization', `Bearer ${key}`)(good) })),
  );
  const bodies = responses.map(({ json }) => JSON.stringify({ ...json, requestId: '' }));
  assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
});
