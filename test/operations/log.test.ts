import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { generateKey } from '../../host/auth/api-key.ts';
import {
  DEADLINE_MS,
  END,
  FILE_HEADERS,
  form,
  hashOf,
  MULTIPART,
  part,
  picture,
  Service,
  wireBody,
  wireHead,
} from '../http/service.ts';
import { bytesOf, exchangeRaw, rawRequest } from '../http/support/raw-request.ts';

const logo = picture('logo.png');
const CLIENT = '192.0.2.7';

let service: Service;
before(async () => {
  service = await Service.start({ TRACESMITH_TRUSTED_PROXIES: '127.0.0.0/8,::1' });
});
after(() => service.stop());

/** Posts a body as a client behind a proxy; resolves to its log line and the response's body. */
async function posted(body: Buffer, requestId: string, headers: Record<string, string> = {}) {
  const options = { 'x-forwarded-for': CLIENT, 'x-request-id': requestId, ...MULTIPART, ...headers };
  const response = await service.post(body, { headers: options, key: service.keys.pro });
  return { line: await service.logOf(requestId), text: response.text };
}

describe('the log line of a request', () => {
  test('says who called, from where, what was sent and how long each step took', async () => {
    const body = wireBody(logo);
    const { line, text } = await posted(body, 'complete');
    const { time, durationMs, uploadMs, queueMs, decodeMs, traceMs, ...rest } = line;
    assert.deepEqual(rest, {
      level: 'info',
      message: 'request',
      requestId: 'complete',
      method: 'POST',
      path: '/v1/vectorize',
      status: 200,
      clientAddress: CLIENT,
      keyId: hashOf(service.keys.pro).slice(0, 12),
      account: 'pro',
      tier: 'pro',
      requestBytes: body.length,
      responseBytes: Buffer.byteLength(text),
      format: 'png',
      width: 256,
      height: 256,
    });
    const steps = [uploadMs, queueMs, decodeMs, traceMs].map(Number);
    assert.ok(
      steps.every((ms) => ms > 0),
      `${steps}`,
    );
    const sum = steps.reduce((total, ms) => total + ms, 0);
    assert.ok(Number(durationMs) + 1 >= sum, `${durationMs} < ${steps}`);
    assert.ok(!Number.isNaN(Date.parse(String(time))));
  });

  test('says as much as is known of a rejected request', async () => {
    const body = wireBody(Buffer.from('no picture'));
    const { line, text } = await posted(body, 'rejected', { 'x-forwarded-for': 'garbage"}' });
    assert.deepEqual([line.status, line.code], [415, 'unsupported_image_format']);
    assert.deepEqual([line.account, line.tier], ['pro', 'pro']);
    assert.match(String(line.clientAddress), /^(127\.0\.0\.1|::1)$/);
    assert.deepEqual([line.requestBytes, line.responseBytes], [body.length, Buffer.byteLength(text)]);
    assert.ok(Number(line.uploadMs) > 0 && !('traceMs' in line));
  });

  test('has no key and no account before authentication', async () => {
    const key = generateKey();
    await service.post(form(logo), { key, headers: { 'x-request-id': 'stranger' } });
    const line = await service.logOf('stranger');
    assert.deepEqual([line.status, line.code], [401, 'invalid_api_key']);
    assert.deepEqual([line.keyId, line.account, line.tier], [undefined, undefined, undefined]);
    const text = service.log.join('\n');
    for (const one of [key, ...Object.values(service.keys)])
      assert.ok(!text.includes(one), 'a key is logged');
  });

  test('counts the bytes of a chunked body, and of one that was discarded', async () => {
    const body = wireBody(logo);
    const request = rawRequest(service.keys.enterprise, body);
    const chunked = [...request.headers, ['X-Request-Id', 'chunked']] as typeof request.headers;
    const headers = chunked.map(([name, value]): [string, string] =>
      name === 'Content-Length' ? ['Transfer-Encoding', 'chunked'] : [name, value],
    );
    const chunk = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    assert.match(
      await exchangeRaw(service.port, bytesOf({ ...request, headers, body: chunk })),
      /^HTTP\/1.1 200 /,
    );
    assert.equal((await service.logOf('chunked')).requestBytes, body.length);
    const large = Buffer.concat([part(FILE_HEADERS, Buffer.alloc(1_000_000)), END]);
    await posted(large, 'discarded', { authorization: 'Bearer none' });
    const { requestBytes } = await service.logOf('discarded');
    assert.equal(requestBytes, large.length);
  });

  test('says how far an upload came whose client disconnected', async () => {
    const body = wireBody(logo);
    const head = wireHead(service.keys.pro, body.length).replace('Host:', 'X-Request-Id: aborted\r\nHost:');
    const socket = connect(service.port, 'localhost');
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, 1000)]));
    await service.untilMetric('tracesmith_requests_in_flight', 1);
    socket.destroy();
    const line = await service.logOf('aborted');
    assert.deepEqual([line.status, line.code, line.requestBytes], [499, 'client_disconnected', 1000]);
    assert.ok(Number(line.uploadMs) > 0 && !('queueMs' in line) && !('responseBytes' in line));
  });

  test('has the caller’s trace', async () => {
    const [trace_id, span_id] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    await service.get('/livez', 'GET', {
      traceparent: `00-${trace_id}-${span_id}-01`,
      'x-request-id': 'traced',
    });
    const line = await service.logOf('traced');
    assert.deepEqual([line.trace_id, line.span_id], [trace_id, span_id]);
    await service.get('/livez', 'GET', { 'x-request-id': 'untraced' });
    assert.ok(!('trace_id' in (await service.logOf('untraced'))));
  });

  test('is one line, whatever an account is called', async () => {
    const key = generateKey();
    const account = 'a"}\n{"level":"error","message":"forged\u2028"}\r\n\u001b[31m\u0085\u009b31m';
    const { keys } = JSON.parse(readFileSync(service.keysFile, 'utf8'));
    writeFileSync(
      service.keysFile,
      JSON.stringify({ keys: [...keys, { hash: hashOf(key), account, tier: 'pro' }] }),
    );
    await service.untilMetric('tracesmith_api_keys', keys.length + 1);
    await service.post(form(logo), { key, headers: { 'x-request-id': 'forged' } });
    assert.equal((await service.logOf('forged')).account, account);
    for (const line of service.log) {
      assert.notEqual(JSON.parse(line).message, 'forged');
      assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
    }
  });
});

// A long line is written at once; the last one waits behind it.
for (const [when, before] of [
  ['while nothing is being written', ''],
  ['while another is being written', "log('error', 'x'.repeat(9000));"],
]) {
  test(`the last line is written before the process kills itself, ${when}`, () => {
    const log = new URL('../../host/observability/log.ts', import.meta.url);
    const program = `
      import { flushLog, log } from ${JSON.stringify(log.href)};
      ${before}
      log('error', 'the last words');
      await flushLog();
      process.kill(process.pid, 'SIGKILL');`;
    const { signal, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { encoding: 'utf8', timeout: DEADLINE_MS },
    );
    assert.equal(signal, 'SIGKILL');
    assert.match(stderr, /the last words/);
  });
}

test('docs/operations.md lists exactly the fields of the line', async () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const section = page.slice(
    page.indexOf('\n## Log\n'),
    page.indexOf('\n## ', page.indexOf('\n## Log\n') + 1),
  );
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => String(cell));
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => String(name)));
  await posted(wireBody(Buffer.from('no picture')), 'fields-rejected');
  await posted(wireBody(logo), 'fields', {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  const logged = ['fields', 'fields-rejected'].map((id) => service.logOf(id));
  const fields = new Set((await Promise.all(logged)).flatMap((line) => Object.keys(line)));
  assert.deepEqual(listed.sort(), [...fields].sort());
});
