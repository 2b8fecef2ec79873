import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { overloaded } from '../../host/errors/details.ts';
import { DEADLINE_MS, END, FILE_HEADERS, MULTIPART, part, picture, wireBody } from './service.ts';
import { headerOf } from './support/image-headers.ts';
import { InProcessService } from './support/in-process-service.ts';
import { bytesOf, exchangeRaw, parseResponse, type RawRequest, rawRequest } from './support/raw-request.ts';

const MAX_FILE_BYTES = 100_000;
let inside: InProcessService;
before(async () => {
  inside = await InProcessService.start({ maxFileBytes: MAX_FILE_BYTES });
});
after(() => inside.stop());

/** The parts of a request. */
interface Draft {
  method: string;
  path: string;
  key: string;
  accept: string;
  type: string;
  /** Length of the epilogue, which may follow the last part. */
  epilogueBytes: number;
  config: string;
  file: Buffer;
}

const good = (): Draft => ({
  method: 'POST',
  path: '/v1/vectorize',
  key: inside.key,
  accept: 'application/json',
  type: MULTIPART['content-type'],
  epilogueBytes: 0,
  config: '{}',
  file: picture('logo.png'),
});

/** One fault, in the request or inside the service. */
interface Defect {
  response: string;
  draft?: Partial<Draft>;
  spoil?(): () => void;
}

function saturate(): () => void {
  const { queue } = inside.service;
  const { run } = queue;
  queue.run = () => Promise.reject(overloaded(1));
  return () => {
    queue.run = run;
  };
}

/** In the order of the checks. */
const DEFECTS: Defect[] = [
  { response: '404 not_found', draft: { path: '/v1/nothing' } },
  { response: '405 method_not_allowed', draft: { method: 'PUT' } },
  { response: '401 invalid_api_key', draft: { key: 'wrong' } },
  { response: '429 concurrency_limited', spoil: () => inside.useUpConcurrency() },
  { response: '429 rate_limited', spoil: () => inside.useUpRate() },
  { response: '406 not_acceptable', draft: { accept: 'text/html' } },
  { response: '415 unsupported_media_type', draft: { type: 'text/plain' } },
  { response: '413 payload_too_large', draft: { epilogueBytes: 2 * MAX_FILE_BYTES } },
  { response: '503 overloaded', spoil: () => inside.useUpTransferMemory() },
  { response: '422 invalid_config', draft: { config: '{"mode": 1}' } },
  { response: '415 unsupported_image_format', draft: { file: Buffer.from('hello') } },
  { response: '413 image_too_large', draft: { file: headerOf(30_000, 30_000, true) } },
  { response: '503 overloaded', spoil: saturate },
];

function assemble(draft: Draft): RawRequest {
  const config = part(['Content-Disposition: form-data; name="config"'], draft.config);
  const body = Buffer.concat([
    config,
    part(FILE_HEADERS, draft.file),
    END,
    Buffer.alloc(draft.epilogueBytes),
  ]);
  const request = rawRequest(draft.key, body);
  const other = request.headers.filter(([name]) => name !== 'Content-Type');
  const headers: RawRequest['headers'] = [...other, ['Content-Type', draft.type], ['Accept', draft.accept]];
  return { ...request, method: draft.method, path: draft.path, headers };
}

/** Sends a request with all these defects. */
async function send(defects: Defect[]): Promise<string> {
  // From the last to the first, so that of two faults in the same member the earlier one remains.
  const draft = Object.assign(good(), ...defects.map((defect) => defect.draft).reverse());
  const repairs = defects.map((defect) => defect.spoil?.());
  const { status, json } = parseResponse(await exchangeRaw(inside.port, bytesOf(assemble(draft))));
  for (const repair of repairs) repair?.();
  return `${status} ${json.code ?? ''}`.trim();
}

describe('of several faults, the first in the order of checks is reported', () => {
  for (const [index, { response }] of DEFECTS.entries()) {
    test(`${index + 1}. ${response}`, async () => {
      assert.equal(await send(DEFECTS.slice(index)), response);
    });
  }

  test('without faults, the request succeeds', async () => {
    assert.equal(await send([]), '200');
  });
});

describe('Expect: 100-continue', () => {
  const body = wireBody(picture('logo.png'));
  const head = (key: string, length = body.length) => {
    const { headers, ...rest } = rawRequest(key, body);
    const changed = headers.map(([name, value]): [string, string] =>
      name === 'Content-Length' ? [name, String(length)] : [name, value],
    );
    return bytesOf({ ...rest, body: Buffer.alloc(0), headers: [...changed, ['Expect', '100-continue']] });
  };

  test('an error is sent before the body', async () => {
    for (const [bytes, code] of [
      [head('wrong'), 'invalid_api_key'],
      [head(inside.key, 30_000_000), 'payload_too_large'],
    ] as const) {
      const socket = connect(inside.port, 'localhost', () => socket.write(bytes));
      const text = await firstResponse(socket);
      assert.match(text, /^HTTP\/1\.1 4\d\d /);
      assert.match(text, new RegExp(`"code":"${code}"`));
      socket.destroy();
    }
  });

  test('a valid request gets 100 Continue', async () => {
    const socket = connect(inside.port, 'localhost', () => socket.write(head(inside.key)));
    assert.equal(await firstResponse(socket), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.match(await firstResponse(socket), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('HTTP/1.0 has no 100 Continue', async () => {
    const request = Buffer.from(String(head(inside.key)).replace('HTTP/1.1', 'HTTP/1.0'));
    const socket = connect(inside.port, 'localhost', () => socket.write(Buffer.concat([request, body])));
    assert.match(await firstResponse(socket), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  function firstResponse(socket: ReturnType<typeof connect>): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const timer = setTimeout(() => reject(new Error(`only: ${text}`)), DEADLINE_MS);
      socket.on('data', (data) => {
        text += data;
        if (!/^HTTP\/1\.1 100 .*\r\n\r\n$|\}$/s.test(text)) return;
        clearTimeout(timer);
        socket.removeAllListeners('data');
        resolve(text);
      });
    });
  }
});

test('after an early error, the connection stays open for a short rest of the body, and closes for a long one', async () => {
  const wrong = (bytes: number, ...more: [string, string][]) => {
    const { headers, ...rest } = rawRequest('wrong', Buffer.alloc(bytes));
    const kept = headers.filter(([name]) => name !== 'Connection');
    return bytesOf({ ...rest, headers: [...kept, ...more] });
  };
  const answer = (bytes: Buffer) => exchangeRaw(inside.port, bytes);
  const next = Buffer.from('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const short = await answer(Buffer.concat([wrong(200_000), next]));
  assert.match(short, /^HTTP\/1\.1 401 .*HTTP\/1\.1 200 /s);
  const long = await answer(Buffer.concat([wrong(2_000_000), next]));
  assert.match(long, /^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
  assert.equal(long.match(/HTTP\/1\.1 /g)?.length, 1, long);
  const expecting = wrong(1_000, ['Expect', '100-continue']).subarray(0, -1_000);
  assert.match(await answer(expecting), /^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
});

test('after an early error, the rest of the body causes no second response', async () => {
  const chunked: RawRequest = { ...rawRequest('wrong', Buffer.from('5\r\nhello\r\nnot a size\r\n')) };
  const headers = chunked.headers.filter(([name]) => name !== 'Content-Length');
  const text = await exchangeRaw(
    inside.port,
    bytesOf({ ...chunked, headers: [...headers, ['Transfer-Encoding', 'chunked']] }),
  );
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, text);
});
