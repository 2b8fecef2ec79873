// Rehearses deploy/cluster: two processes of the service behind HAProxy, with one store.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { check, program } from '../../scripts/processes/balancer.ts';
import { DEADLINE_MS, MULTIPART, picture, type Service, wireBody } from '../http/service.ts';
import { needsValkey } from '../store/use-valkey.ts';
import { Cluster } from './cluster.ts';

const MAX_FILE_BYTES = 1_000_000;
/** Another address of this machine, so that the client is not confused with HAProxy. */
const CLIENT = '127.0.0.2';
const image = wireBody(picture('letters.gif'));

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** In CI, the suite fails without one of them. */
const missing =
  program === undefined && !process.env.CI
    ? 'there is no HAProxy here: npm run setup installs it'
    : needsValkey.skip;

describe('behind HAProxy', { skip: missing }, () => {
  let cluster: Cluster;
  let services: Service[];
  let key: string;
  const agent = new Agent({ localAddress: CLIENT });

  before(async () => {
    cluster = await Cluster.start({ TRACESMITH_MAX_FILE_BYTES: String(MAX_FILE_BYTES) });
    services = cluster.services;
    key = await cluster.issueKey('enterprise');
  });

  after(async () => {
    await agent.close();
    await cluster?.stop();
  });

  async function post(body: Buffer = image, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = { authorization: `Bearer ${key}`, ...MULTIPART, ...headers };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const options = { method: 'POST', headers: sent, body, signal, dispatcher: agent } as const;
    const response = await request(`${cluster.balancer.url}/v1/vectorize`, options);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await response.body.text(),
    };
  }

  /** The log line of a request, whichever process had it. */
  async function logOf(requestId: string): Promise<Record<string, unknown>> {
    const deadline = Date.now() + DEADLINE_MS;
    while (Date.now() < deadline) {
      const line = services.flatMap(({ log }) => log).find((text) => text.includes(`"${requestId}"`));
      if (line !== undefined) return JSON.parse(line);
      await sleep(20);
    }
    throw new Error(`not logged: ${requestId}`);
  }

  test('HAProxy accepts the configuration', () => {
    const { status, stderr } = check();
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /WARNING/);
  });

  test('requests are spread over the processes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post()));
    for (const { status, text } of answers) assert.equal(status, 200, text);
    for (const service of services)
      assert.ok((await service.metric('http_server_request_duration_seconds_count')) >= 5);
  });

  test('a key of the store works everywhere, and its rate holds for all processes together', async () => {
    const authorization = `Bearer ${await cluster.issueKey('free')}`;
    const statuses: number[] = [];
    // One after another, as a Free account may have two requests in flight.
    for (let count = 0; count < 16; count++) statuses.push((await post(image, { authorization })).status);
    assert.deepEqual(
      [200, 429].map((status) => statuses.filter((one) => one === status).length),
      [10, 6],
    );
  });

  test('the log has the address of the client, which cannot choose it', async () => {
    for (const forwarded of [undefined, '6.6.6.6', '127.0.0.1, 6.6.6.6']) {
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const answer = await post(image, headers);
      const line = await logOf(String(answer.headers['x-request-id']));
      assert.equal(line.clientAddress, CLIENT);
    }
  });

  test('traceparent and X-Request-Id pass', async () => {
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const requestId = 'from-the-caller';
    const traceparent = `00-${traceId}-${spanId}-01`;
    const answer = await post(image, { traceparent, 'x-request-id': requestId });
    assert.equal(answer.headers['x-request-id'], requestId);
    const line = await logOf(requestId);
    assert.equal(line.trace_id, traceId);
  });

  test('a client that sends too much sees why', async () => {
    const answer = await post(wireBody(Buffer.alloc(30 * MAX_FILE_BYTES, 1)));
    assert.equal(answer.status, 413);
    assert.equal(JSON.parse(answer.text).code, 'payload_too_large');
  });

  test('a client that is refused before its body has arrived sees why', async () => {
    const answer = await post(wireBody(Buffer.alloc(MAX_FILE_BYTES - 1_000)), {
      authorization: 'Bearer none',
    });
    assert.equal(answer.status, 401);
    assert.equal(JSON.parse(answer.text).code, 'invalid_api_key');
  });

  test('a process that shuts down under load fails no request', async () => {
    const [, second] = services as [Service, Service];
    const exit = once(second.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    let isOver = false;
    const failures: Answer[] = [];
    let count = 0;
    const caller = async () => {
      while (!isOver) {
        const answer = await post();
        count++;
        if (answer.status !== 200) failures.push(answer);
      }
    };
    const callers = Array.from({ length: 6 }, caller);
    await sleep(500);
    second.process.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    await sleep(500);
    isOver = true;
    await Promise.all(callers);
    assert.deepEqual(failures, []);
    assert.ok(count > 50, `${count} requests`);
  });

  test('without any process, the response is a problem document that says when to retry', async () => {
    const [first] = services as [Service];
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    // A request on a connection that HAProxy has not yet seen close ends without a response: HTTP clients send it again.
    await sleep(500);
    const answer = await post(image, { 'x-request-id': 'nobody-there' });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
    assert.equal(answer.headers['x-request-id'], 'nobody-there');
    const { code, requestId, status } = JSON.parse(answer.text);
    assert.deepEqual([code, requestId, status], ['overloaded', 'nobody-there', 503]);
  });
});
