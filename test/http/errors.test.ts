import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { generateKey } from '../../host/auth/api-key.ts';
import {
  END,
  FILE_HEADERS,
  form,
  MULTIPART,
  part,
  picture,
  Service,
  type ServiceResponse,
  wireBody,
} from './service.ts';
import { bmpHeaderOf, headerOf } from './support/image-headers.ts';
import { exchangeRaw } from './support/raw-request.ts';

let service: Service;
before(async () => {
  service = await Service.start({ TRACESMITH_MAX_FILE_BYTES: '1000000' });
});
after(() => service.stop());

const logo = picture('logo.png');
const jpeg = picture('landscape.jpg');

const disposition = (rest: string) => [`Content-Disposition: form-data; ${rest}`];
const config = (text: string) => part(disposition('name="config"'), text);
const file = part(FILE_HEADERS, logo);
const wire =
  (...parts: Buffer[]) =>
  () =>
    service.post(Buffer.concat(parts), { headers: MULTIPART });
const authorized = (authorization: string | string[]) => () =>
  service.post(form(logo), { key: '', headers: { authorization } as Record<string, string> });
const typo = (key: string) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

type Case = [what: string, expected: string, send: () => Promise<ServiceResponse>];

const CASES: Case[] = [
  ['unknown path', '404 not_found', () => service.get('/v1/vectorise')],
  ['a folder of the playground', '404 not_found', () => service.get('/playground/')],
  ['a path that climbs', '404 not_found', () => service.get('/playground/../../package.json')],
  ['wrong method', '405 method_not_allowed', () => service.get('/v1/vectorize')],
  ['TRACE', '405 method_not_allowed', () => service.get('/v1/vectorize', 'TRACE')],
  ['no key', '401 missing_credentials', () => service.post(form(logo), { key: '' })],
  ['Basic', '400 invalid_authorization', authorized('Basic dTpw')],
  ['no token', '400 invalid_authorization', authorized('Bearer')],
  ['two tokens', '400 invalid_authorization', authorized('Bearer a b')],
  ['not a key', '401 invalid_api_key', authorized('Bearer secret')],
  ['key with a typo', '401 invalid_api_key', () => service.post(form(logo), { key: typo(service.keys.pro) })],
  ['key of nobody', '401 invalid_api_key', () => service.post(form(logo), { key: generateKey() })],
  [
    'not acceptable',
    '406 not_acceptable',
    () => service.post(form(logo), { headers: { accept: 'text/html' } }),
  ],
  [
    'not multipart',
    '415 unsupported_media_type',
    () => service.post('{}', { headers: { 'content-type': 'application/json' } }),
  ],
  ['no content type', '415 unsupported_media_type', () => service.post(Buffer.from('x'))],
  [
    'compressed',
    '415 unsupported_media_type',
    () => service.post(wireBody(logo), { headers: { ...MULTIPART, 'content-encoding': 'gzip' } }),
  ],
  [
    'no boundary',
    '400 malformed_multipart',
    () => service.post(wireBody(logo), { headers: { 'content-type': 'multipart/form-data' } }),
  ],
  [
    'another boundary',
    '400 malformed_multipart',
    () => service.post(wireBody(logo), { headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
  ],
  ['empty body', '400 malformed_multipart', wire()],
  ['truncated body', '400 malformed_multipart', wire(file.subarray(0, 3000))],
  ['no end', '400 malformed_multipart', wire(file)],
  ['malformed part header', '400 malformed_multipart', wire(part(['no colon here'], 'x'), file, END)],
  [
    'part without disposition',
    '400 malformed_multipart',
    wire(part(['Content-Type: text/plain'], 'x'), file, END),
  ],
  [
    'part with another disposition',
    '400 malformed_multipart',
    wire(file, part(['Content-Disposition: attachment'], 'x'), END),
  ],
  ['no parts', '400 missing_file', wire(END)],
  ['only config', '400 missing_file', wire(config('{}'), END)],
  ['file as text', '400 file_not_binary', wire(part(disposition('name="file"'), 'hello'), END)],
  [
    'file without filename',
    '400 file_not_binary',
    wire(part([...disposition('name="file"'), 'Content-Type: application/octet-stream'], logo), END),
  ],
  ['duplicate file', '400 unexpected_part', wire(file, file, END)],
  ['duplicate config', '400 unexpected_part', wire(config('{}'), config('{}'), file, END)],
  ['unknown part', '400 unexpected_part', wire(file, part(disposition('name="image"'), 'x'), END)],
  [
    'unknown file part',
    '400 unexpected_part',
    wire(part(disposition('name="image"; filename="a"'), logo), END),
  ],
  ['part without name', '400 unexpected_part', wire(part(['Content-Disposition: form-data'], 'x'), END)],
  [
    'config too long',
    '413 config_too_large',
    () => service.post(form(logo, `{"mode":"${' '.repeat(17_000)}"}`)),
  ],
  [
    'config file too long',
    '413 config_too_large',
    wire(part(disposition('name="config"; filename="c"'), ' '.repeat(17_000)), file, END),
  ],
  ['config not JSON', '400 invalid_config_json', () => service.post(form(logo, '{mode: polygon}'))],
  ['config empty', '400 invalid_config_json', () => service.post(form(logo, ''))],
  ['config an array', '400 invalid_config_json', () => service.post(form(logo, []))],
  ['config null', '400 invalid_config_json', () => service.post(form(logo, 'null'))],
  ['config deeply nested', '400 invalid_config_json', () => service.post(form(logo, '['.repeat(16_000)))],
  [
    'too large, declared',
    '413 payload_too_large',
    () => service.post(wireBody(Buffer.alloc(2_000_000)), { headers: MULTIPART }),
  ],
  ['one byte too large', '413 payload_too_large', () => service.post(form(Buffer.alloc(1_000_001)))],
  ['exactly the limit', '415 unsupported_image_format', () => service.post(form(Buffer.alloc(1_000_000)))],
  [
    'a text named .png',
    '415 unsupported_image_format',
    () => service.post(form('hello', undefined, 'hello.png')),
  ],
  [
    'a text that begins with BM',
    '415 unsupported_image_format',
    () => service.post(form('BM is not always a picture')),
  ],
  [
    'an SVG',
    '415 unsupported_image_format',
    () => service.post(form('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  ],
  ['0 bytes', '422 invalid_image', () => service.post(form(''))],
  ['PNG, half', '422 invalid_image', () => service.post(form(logo.subarray(0, logo.length / 2)))],
  ['PNG, signature only', '422 invalid_image', () => service.post(form(logo.subarray(0, 8)))],
  ['PNG of no width', '422 invalid_image', () => service.post(form(headerOf(0, 10, true)))],
  ['JPEG, half', '422 invalid_image', () => service.post(form(jpeg.subarray(0, jpeg.length / 2)))],
  ['WebP, half', '422 invalid_image', () => service.post(form(picture('badge.webp').subarray(0, 1500)))],
  ['GIF, half', '422 invalid_image', () => service.post(form(picture('letters.gif').subarray(0, 200)))],
  ['BMP, half', '422 invalid_image', () => service.post(form(picture('letters.bmp').subarray(0, 9000)))],
  ['BMP, header only', '422 invalid_image', () => service.post(form(picture('letters.bmp').subarray(0, 20)))],
  ['BMP of negative width', '422 invalid_image', () => service.post(form(bmpHeaderOf(-5, 5)))],
  ['30,000 × 30,000 PNG', '413 image_too_large', () => service.post(form(headerOf(30_000, 30_000, true)))],
  [
    'the same, without data',
    '413 image_too_large',
    () => service.post(form(headerOf(30_000, 30_000, false))),
  ],
  ['a side too long', '413 image_too_large', () => service.post(form(headerOf(16_385, 1, true)))],
  ['65,000 × 65,000 BMP', '413 image_too_large', () => service.post(form(bmpHeaderOf(65_000, -65_000)))],
];

describe('each fault has its error, and the next request works', () => {
  for (const [what, expected, send] of CASES) {
    test(what, async () => {
      const response = await send();
      assert.equal(`${response.status} ${response.json.code}`, expected);
      assert.equal(response.headers['content-type'], 'application/problem+json');
      assert.equal(response.json.status, response.status);
      assert.equal(response.json.requestId, response.headers['x-request-id']);
      assert.equal((await service.post(form(logo))).status, 200);
    });
  }
});

describe('the detail tells what to change', () => {
  const typed = (type: string, body: Buffer | string = wireBody(logo)) =>
    service.post(body, { headers: { 'content-type': type } });
  const cases: [what: string, send: () => Promise<ServiceResponse>, detail: RegExp][] = [
    ['an image alone', () => typed('image/png', logo), /must be multipart\/form-data.*part "file"/],
    [
      'a form without files',
      () => typed('application/x-www-form-urlencoded'),
      /must be multipart\/form-data/,
    ],
    [
      'a compressed form',
      () => service.post(wireBody(logo), { headers: { ...MULTIPART, 'content-encoding': 'gzip' } }),
      /not be compressed.*Content-Encoding/,
    ],
    [
      'a Content-Type set by hand',
      () => typed('multipart/form-data'),
      /boundary.*do not set the header yourself/,
    ],
    ['another boundary', () => typed('multipart/form-data; boundary=x'), /does not contain the boundary/],
    ['no body', wire(), /^The body is empty\.$/],
    ['half a part', wire(file.subarray(0, 3000)), /ends in the middle of a part/],
    [
      'an option as a part',
      wire(part(disposition('name="mode"'), 'none'), file, END),
      /^The body has a part with the unknown name "mode"\. .* all options in "config"/,
    ],
    [
      'a part with a hostile name',
      wire(part(disposition(`name="\t\u202e é🦊${'x'.repeat(9_000)}"; filename="a"`), 'none'), file, END),
      /^The body has a part with the unknown name "\\t\u202e é🦊x{34}…"\. Send/,
    ],
    [
      'a part without a name',
      wire(part(['Content-Disposition: form-data'], 'x'), file, END),
      /^The body has a part without a name\. Send the image as "file"/,
    ],
    [
      'a config that is no JSON',
      () => service.post(form(logo, '{mode: none}')),
      /is not valid JSON: the error is at character 2\. .*\{"mode"/,
    ],
    [
      'a config with a comma too many',
      () => service.post(form(logo, '{"mode": "none", }')),
      /is not valid JSON: the error is at character 18\. /,
    ],
    [
      'a config cut off',
      () => service.post(form(logo, '{"mode":')),
      /is not valid JSON: it ends too early\. /,
    ],
    [
      'a config whose text looks like a place',
      () => service.post(form(logo, '{"a":?JSON at position 7')),
      /^The part "config" is not valid JSON\. /,
    ],
    ['an empty config', () => service.post(form(logo, '')), /is not valid JSON: it is empty\. /],
    ...(
      [
        [['none'], 'an array'],
        ['null', 'null'],
        ['1', 'a number'],
        ['true', 'a boolean'],
        ['"{}"', 'text'],
      ] as const
    ).map(([sent, received]): (typeof cases)[number] => [
      `a config that is ${received}`,
      () => service.post(form(logo, sent)),
      new RegExp(`must be a JSON object such as \\{"mode": "polygon"\\}, not ${received}\\.$`),
    ]),
    [
      'an option in another case',
      () => service.post(form(logo, { filterspeckle: 1 })),
      /^\/filterspeckle: is not an option \(expected one of colorMode, filterSpeckle, /,
    ],
    [
      'a truncated WebP',
      () => service.post(form(picture('badge.webp').subarray(0, 900))),
      /a WebP image but is corrupt, truncated/,
    ],
    ['a truncated PNG', () => service.post(form(logo.subarray(0, 3000))), /corrupt or truncated/],
  ];
  for (const [what, send, expected] of cases) {
    test(what, async () => {
      const { text } = await send();
      assert.match(JSON.parse(text).detail, expected);
    });
  }
});

describe('members and headers of errors', () => {
  test('config errors have a pointer to each key', async () => {
    const { json, status } = await service.post(
      form(logo, { mode: 'splines', colourMode: 'color', colorPrecision: 9, filterSpeckle: '4' }),
    );
    assert.equal(`${status} ${json.code}`, '422 invalid_config');
    const pointers = json.errors.map((error) => error.pointer).sort();
    assert.deepEqual(pointers, ['/colorPrecision', '/colourMode', '/filterSpeckle', '/mode']);
    assert.ok(json.errors.every((error) => error.detail !== ''));
  });

  test('__proto__ is a key like any other', async () => {
    const { json } = await service.post(form(logo, '{"__proto__": {"mode": "polygon"}}'));
    assert.deepEqual(
      json.errors.map((error) => error.pointer),
      ['/__proto__'],
    );
  });

  test('a repeated key is an error; a value with the same text is not', async () => {
    const twice = await service.post(form(logo, '{"mode":"none", "filterSpeckle":1, "m\\u006fde":"none"}'));
    assert.equal(`${twice.status} ${twice.json.code}`, '422 invalid_config');
    assert.deepEqual(twice.json.errors, [{ pointer: '/mode', detail: 'appears more than once' }]);
    const nested = await service.post(form(logo, '{"a/~": {"a/~": 1}, "b": ["b", "\\"b\\":", "b"]}'));
    assert.deepEqual(
      nested.json.errors.map((error) => error.pointer),
      ['/a~1~0', '/b'],
    );
  });

  test('of many config errors, 20 are listed, and the rest is counted', async () => {
    const keys = Array.from({ length: 1_500 }, (_, index) => [`k${index}`, 1]);
    const { status, json, text } = await service.post(form(logo, Object.fromEntries(keys)));
    assert.equal(`${status} ${json.code}`, '422 invalid_config');
    assert.equal(json.errors.length, 20);
    assert.match(JSON.parse(text).detail, /; and 1,480 more$/);
    assert.ok(text.length < 10_000, `${text.length} bytes`);
  });

  test('image limits', async () => {
    const { json } = await service.post(form(headerOf(30_000, 30_000, true)));
    assert.deepEqual([json.maxPixels, json.maxSide], [40_000_000, 16_384]);
  });

  test('challenges', async () => {
    assert.equal((await service.post('', { key: '' })).headers['www-authenticate'], 'Bearer');
    const wrong = await service.post('', { key: 'wrong' });
    assert.match(String(wrong.headers['www-authenticate']), /invalid_token/);
  });

  test('Allow', async () => {
    assert.equal((await service.get('/v1/vectorize')).headers.allow, 'POST');
    const connect = await exchangeRaw(service.port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.match(connect, /^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD, POST\r\n/);
  });
});

describe('invalid HTTP', () => {
  const head = 'POST /v1/vectorize HTTP/1.1\r\nHost: a\r\n';
  const cases: [string, string, string][] = [
    ['garbage', 'hello\r\n\r\n', '400 bad_request'],
    ['no Host', 'GET /livez HTTP/1.1\r\n\r\n', '400 bad_request'],
    ['no host in Host', 'GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n', '400 bad_request'],
    ['user in Host', 'GET /livez HTTP/1.1\r\nHost: u@a\r\n\r\n', '400 bad_request'],
    ['address in Host', 'GET /livez HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n', '200'],
    ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '400 bad_request'],
    ['two lengths', `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`, '400 bad_request'],
    [
      'length and chunks',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '400 bad_request',
    ],
    [
      'headers too large',
      `GET /livez HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 headers_too_large',
    ],
    [
      'two Authorizations',
      `${head}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
      '400 invalid_authorization',
    ],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', '405 method_not_allowed'],
    ['another version', 'GET /livez HTTP/2.0\r\nHost: a\r\n\r\n', '400 bad_request'],
    [
      'two Content-Types',
      `${head}Content-Type: text/plain\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n`,
      '400 bad_request',
    ],
    ['two codings', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, '400 bad_request'],
    [
      'a coding twice',
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400 bad_request',
    ],
    [
      'a coding with a parameter',
      `${head}Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n`,
      '400 bad_request',
    ],
    ['an unknown coding', `${head}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n`, '400 bad_request'],
    ['an empty coding', `${head}Transfer-Encoding:\r\n\r\n0\r\n\r\n`, '400 bad_request'],
    [
      'a coding in HTTP/1.0',
      'POST /v1/vectorize HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400 bad_request',
    ],
    [
      'a coding in capitals',
      `${head}Transfer-Encoding: CHUNKED\r\nConnection: close\r\n\r\n0\r\n\r\n`,
      '401 missing_credentials',
    ],
    ['absolute form', 'GET http://a/livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '200'],
    ['asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '404 not_found'],
  ];
  for (const [what, bytes, expected] of cases) {
    test(what, async () => {
      const text = await exchangeRaw(service.port, bytes);
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
      assert.equal(`${status} ${code}`.trim(), expected);
    });
  }
});
