import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { RATE_LIMIT_HEADERS } from '../../host/openapi/headers.ts';
import { BOUNDARY, END, FILE_HEADERS, form, MULTIPART, PICTURES, part, picture, Service } from './service.ts';

let service: Service;
before(async () => {
  service = await Service.start({ TRACESMITH_CORS_ORIGINS: 'https://app.example' });
});
after(() => service.stop());

const logo = picture('logo.png');
const dimensions = (svg: string) => /<svg[^>]*viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.slice(1).map(Number);

describe('tracing', () => {
  for (const { name, width, height } of PICTURES) {
    test(name, async () => {
      const response = await service.post(form(picture(name)));
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers['content-type'], 'application/json');
      assert.match(response.json.svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\s*$/);
      assert.deepEqual(dimensions(response.json.svg), [width, height]);
      assert.ok(response.json.processingTime > 0);
    });
  }

  test('as SVG on request, with a sandbox policy', async () => {
    const response = await service.post(form(logo), { headers: { accept: 'image/svg+xml' } });
    assert.equal(response.headers['content-type'], 'image/svg+xml');
    assert.match(String(response.headers['content-security-policy']), /default-src 'none'.*sandbox/);
    assert.deepEqual(dimensions(response.text), [256, 256]);
    assert.equal(response.text, (await service.post(form(logo))).json.svg, 'the same drawing in both forms');
  });

  test('config as text, as a file, and before the file', async () => {
    const asFile = form(logo);
    asFile.set('config', new Blob(['{"mode":"polygon"}'], { type: 'application/json' }), 'config.json');
    const first = Buffer.concat([
      part(['Content-Disposition: form-data; name="config"'], '{"mode":"polygon"}'),
      part(FILE_HEADERS, logo),
      END,
    ]);
    const responses = [
      await service.post(form(logo, { mode: 'polygon' })),
      await service.post(asFile),
      await service.post(first, { headers: MULTIPART }),
    ];
    for (const response of responses) {
      assert.equal(response.status, 200, response.text);
      assert.equal(response.json.svg, responses[0]?.json.svg);
    }
  });

  test('every option at both limits of its range', async () => {
    const config = { filterSpeckle: 0, colorPrecision: 8, layerDifference: 255, cornerThreshold: 180 };
    const rest = { lengthThreshold: 100, spliceThreshold: 0, colorMode: 'binary', mode: 'none' };
    const response = await service.post(form(picture('letters.gif'), { ...config, ...rest }));
    assert.equal(response.status, 200, response.text);
  });
});

describe('decoding', () => {
  test('applies the EXIF orientation', async () => {
    const turned = await sharp(picture('landscape.jpg')).withMetadata({ orientation: 6 }).toBuffer();
    const response = await service.post(form(turned));
    assert.deepEqual(dimensions(response.json.svg), [213, 320]);
  });

  test('ignores the name and the declared type of the file', async () => {
    const response = await service.post(form(logo, undefined, 'picture.txt'));
    assert.equal(response.status, 200);
  });

  const variants = {
    '16 bits': () => sharp(logo).toColourspace('rgb16').png().toBuffer(),
    gray: () => sharp(logo).toColourspace('b-w').png().toBuffer(),
    CMYK: () => sharp(logo).flatten().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
    'a wide profile': () => sharp(logo).withIccProfile('p3').png().toBuffer(),
    palette: () => sharp(logo).png({ palette: true }).toBuffer(),
    animation: () =>
      sharp([logo, logo], { join: { animated: true } })
        .gif()
        .toBuffer(),
  };
  for (const [name, make] of Object.entries(variants)) {
    test(name, async () => {
      const response = await service.post(form(await make()));
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(dimensions(response.json.svg), [256, 256]);
    });
  }
});

describe('headers', () => {
  test('of all responses', async () => {
    const responses = [
      await service.post(form(logo)),
      await service.post('', { key: '' }),
      await service.get('/nothing'),
    ];
    for (const { headers } of responses) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['x-request-id']), /^[\w-]{36}$/);
    }
  });

  test('the request id is the client’s, if it is valid', async () => {
    const ask = async (id: string | string[]) => {
      const headers = { 'x-request-id': id } as Record<string, string>;
      return String((await service.get('/livez', 'GET', headers)).headers['x-request-id']);
    };
    for (const id of ['my-id_1', 'x', 'A'.repeat(64)]) assert.equal(await ask(id), id);
    for (const id of ['', 'not an id', 'A'.repeat(65), 'é', ['one', 'two']])
      assert.match(await ask(id), /^[0-9a-f]{8}-[0-9a-f-]{27}$/, String(id));
  });

  test('Server-Timing names the four steps', async () => {
    const response = await service.post(form(logo));
    const steps = /^upload;dur=[\d.]+, queue;dur=[\d.]+, decode;dur=[\d.]+, trace;dur=[\d.]+$/;
    assert.match(String(response.headers['server-timing']), steps);
  });

  test('the rate limit, for limited accounts only', async () => {
    const { headers } = await service.post(form(logo), { key: service.keys.pro });
    assert.equal(headers['ratelimit-policy'], '"default";q=100;w=60');
    assert.match(String(headers.ratelimit), /^"default";r=99;t=\d+$/);
    assert.equal(headers['x-ratelimit-remaining'], '99');
    const unlimited = await service.post(form(logo));
    assert.equal(unlimited.headers.ratelimit, undefined);
  });
});

describe('other paths', () => {
  test('livez and readyz', async () => {
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await service.get(path)).status, 200);
      assert.equal((await service.get(path, 'HEAD')).status, 200);
    }
  });

  test('a preflight needs no key, and allows only the origins of the setting', async () => {
    const ask = (origin: string) =>
      service.get('/v1/vectorize', 'OPTIONS', { origin, 'access-control-request-method': 'POST' });
    const allowed = await ask('https://app.example');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers['access-control-allow-origin'], 'https://app.example');
    assert.match(String(allowed.headers['access-control-allow-headers']), /authorization/i);
    assert.equal((await ask('https://other.example')).headers['access-control-allow-origin'], undefined);
  });

  test('a page of an allowed origin can read an early error and its headers', async () => {
    const response = await service.post('', { key: '', headers: { origin: 'https://app.example' } });
    assert.equal(response.status, 401);
    assert.equal(response.headers['access-control-allow-origin'], 'https://app.example');
    assert.equal(response.headers.vary, 'Origin');
    const exposed = String(response.headers['access-control-expose-headers']).split(', ');
    const wanted = ['X-Request-Id', 'Server-Timing', 'Retry-After', ...RATE_LIMIT_HEADERS];
    assert.deepEqual(exposed.sort(), wanted.sort());
  });
});

test('the log has a line for each request, and no key', async () => {
  const { keys } = service;
  const typo = `${keys.pro.slice(0, -1)}_`;
  await service.post(form(logo), { headers: { 'x-request-id': 'the-good-one' } });
  await service.post(form(logo), { key: typo });
  await service.post(form(logo), { key: '', headers: { authorization: `Basic ${keys.pro}` } });
  await service.get(`/${keys.pro}?key=${keys.pro}`, 'GET', { 'x-request-id': 'the-last-one' });
  await service.untilLogged('the-last-one');
  const lines = service.log.map((line) => JSON.parse(line));
  const { level, message, method, path, status, account, format } = lines.find(
    (line) => line.requestId === 'the-good-one',
  );
  assert.deepEqual(
    [level, message, method, path, status, account, format],
    ['info', 'request', 'POST', '/v1/vectorize', 200, 'enterprise', 'png'],
  );
  const log = service.log.join('\n');
  assert.doesNotMatch(log, /ts_live_|Bearer|Basic/);
  assert.ok(!log.includes(BOUNDARY));
  for (const key of Object.values(keys)) assert.ok(!log.includes(key.slice(8, -6)));
});
