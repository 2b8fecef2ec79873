import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { encoded, form, picture, Service } from '../http/service.ts';
import { exchangeRaw } from '../http/support/raw-request.ts';

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

const DURATION = 'http_server_request_duration_seconds';
const logo = picture('logo.png');
/** Values of headers that could become labels. Each is made unique by a number at its end. */
const HOSTILE_HEADERS: [name: string, value: string][][] = [
  [['Host', 'a']],
  [
    ['Host', 'a'],
    ['X-Request-Id', 'id'],
    ['Authorization', 'Bearer ts_live_'],
    ['User-Agent', 'agent'],
    ['X-Forwarded-For', '192.0.2.'],
    ['Traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-0`],
  ],
];

describe('metrics', () => {
  test('docs/operations.md lists exactly these metrics', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z_]+)` \| (gauge|counter|histogram) \|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    const types = [...(await service.metrics()).matchAll(/^# TYPE (\S+ \w+)$/gm)].map(([, type]) =>
      String(type),
    );
    const ours = types.filter((type) => !/^(process|nodejs)_/.test(type));
    assert.deepEqual(ours.sort(), listed.sort());
    assert.ok(types.includes('process_cpu_seconds_total counter'));
  });

  test('count responses by route, status and code, and the steps', async () => {
    await service.post(form(logo));
    await service.post(form('no picture'));
    await service.get('/no/such/path');
    await service.untilMetric('http_server_active_requests', 0);
    const text = await service.metrics();
    const post = 'http_request_method="POST",url_scheme="http",http_route="/v1/vectorize"';
    const get = 'http_request_method="GET",url_scheme="http",http_route=""';
    for (const labels of [
      `${post},http_response_status_code="200",error_type=""`,
      `${post},http_response_status_code="415",error_type="unsupported_image_format"`,
      `${get},http_response_status_code="404",error_type="not_found"`,
    ]) {
      assert.ok(text.includes(`${DURATION}_count{${labels}} 1\n`), text);
    }
    assert.equal(await service.metric('tracesmith_api_keys'), 4);
    for (const labels of [
      'tier="enterprise",http_response_status_code="200",error_type=""',
      'tier="enterprise",http_response_status_code="415",error_type="unsupported_image_format"',
      'tier="none",http_response_status_code="404",error_type="not_found"',
    ]) {
      assert.ok(text.includes(`tracesmith_requests_total{${labels}} 1\n`), text);
    }
    for (const [step, count] of Object.entries({ upload: 2, decode: 1, trace: 1 }))
      assert.ok(text.includes(`tracesmith_step_duration_seconds_count{step="${step}"} ${count}\n`), text);
  });

  test('have the labels that docs/operations.md lists', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const rows = page.matchAll(/^\| `([a-z_]+)` \| (?:gauge|counter|histogram) \| (.*?) \|/gm);
    const text = await service.metrics();
    for (const [, name, cell = ''] of rows) {
      const listed = [...cell.replaceAll(/: [^;]*/g, '').matchAll(/`(\w+)`/g)].map(([, label]) => label);
      const series = text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? `, 'gm'));
      for (const [, labels = ''] of series) {
        const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label);
        assert.deepEqual(names.filter((label) => label !== 'le').sort(), listed.sort(), name);
      }
    }
  });

  test('measure the bodies of requests and responses', async () => {
    const { length } = (await encoded(form(logo))).body;
    const size = async (name: string) => service.metric(`http_server_${name}_body_size_bytes_sum`);
    const before = [await size('request'), await size('response')];
    const response = await service.post(form(logo));
    await service.untilMetric('http_server_active_requests', 0);
    const [sent, received] = [await size('request'), await size('response')];
    assert.equal(received - Number(before[1]), Buffer.byteLength(response.text));
    assert.equal(sent - Number(before[0]), length);
    await service.get('/docs', 'HEAD');
    await service.untilMetric('http_server_active_requests', 0);
    assert.equal(await size('response'), received, 'a response to HEAD has no body');
  });

  test('clients cannot create time series', async () => {
    const attack = async (wave: number) => {
      for (const method of METHODS.filter((one) => one !== 'CONNECT'))
        for (const path of ['/livez', '/v1/vectorize', `/a${wave}`, `/b${wave}?c=${wave}`])
          for (const headers of HOSTILE_HEADERS) {
            const given = [...headers, ['Connection', 'close']].map(
              ([name, value]) => `${name}: ${value}${wave}\r\n`,
            );
            const bytes = `${method} ${path} HTTP/1.1\r\n${given.join('')}\r\n`.replace(
              `close${wave}`,
              'close',
            );
            assert.match(await exchangeRaw(service.port, bytes), /^HTTP\/1.1 [245]/);
          }
      await service.untilMetric('http_server_active_requests', 0);
      return (await service.metrics()).split('\n').filter((line) => /^(http_|tracesmith_)/.test(line));
    };
    const first = await attack(1);
    const second = await attack(2);
    const names = (lines: string[]) => lines.map((line) => line.slice(0, line.lastIndexOf(' '))).sort();
    assert.deepEqual(names(second), names(first), 'what is new in a request adds no series');
    const text = second.join('\n');
    assert.ok(text.includes('http_request_method="_OTHER"'));
    assert.ok(!/PURGE|"\/[ab]\d/.test(text));
  });

  test('invalid HTTP is counted and logged', async () => {
    const socket = connect(service.port, 'localhost', () => socket.write('hello\r\n\r\n'));
    let response = '';
    for await (const data of socket) response += data;
    const { requestId } = JSON.parse(response.slice(response.indexOf('{')));
    await service.untilMetric('tracesmith_rejected_connections_total', 1);
    await service.untilLogged(requestId);
    const line = JSON.parse(service.log.find((one) => one.includes(requestId)) ?? '');
    assert.deepEqual([line.message, line.code], ['connection rejected', 'bad_request']);
    assert.match(line.peerAddress, /127\.0\.0\.1$|^::1$/);
  });

  test('the admin port serves health checks and nothing else, and the public port serves no metrics', async () => {
    const { origin } = new URL(service.metricsUrl);
    const unknown = await fetch(`${origin}/`);
    const paths = 'This port has /metrics, /livez, /readyz only.\n';
    assert.deepEqual([unknown.status, await unknown.text()], [404, paths]);
    for (const path of ['/livez', '/readyz']) {
      const response = await fetch(origin + path);
      assert.deepEqual([response.status, await response.text()], [200, '{"status":"ok"}']);
      assert.equal((await fetch(origin + path, { method: 'HEAD' })).status, 200);
    }
    const wrong = await fetch(`${origin}/metrics`, { method: 'POST' });
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD']);
    assert.match(await wrong.text(), /GET and HEAD only/);
    assert.equal((await service.get('/metrics')).status, 404);
  });
});
