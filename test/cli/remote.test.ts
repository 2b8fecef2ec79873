import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { generateKey } from '../../host/auth/api-key.ts';
import { InProcessService } from '../http/support/in-process-service.ts';
import { filesIn, folderOf, type Outcome, put, run, runJson, start } from './command.ts';
import { type Fault, Front, refusal } from './remote-front.ts';

/** Timers of Node.js can fire a little early. */
const EARLY_MS = 5;

let service: InProcessService;
let env: Record<string, string>;

before(async () => {
  service = await InProcessService.start({ workers: 2 });
  env = { TRACESMITH_API_KEY: service.key };
});
after(() => service.stop());

const front = (faultOf?: (index: number) => Fault | undefined) => Front.start(service.port, faultOf);

const images = (count: number) =>
  folderOf(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`in/${index}.gif`, 'letters.gif'])),
  );

function assertNoKey({ stdout, stderr }: Outcome): void {
  assert.ok(!`${stdout}${stderr}`.includes(service.key));
}

describe('--remote', () => {
  test('traces a folder, with the same SVGs and report as here', async () => {
    const cwd = folderOf({
      'in/a.png': 'logo.png',
      'in/b/c.jpg': 'landscape.jpg',
      'in/d.bmp': 'letters.bmp',
    });
    writeFileSync(join(cwd, 'in', 'bad.png'), 'no picture');
    writeFileSync(join(cwd, 'in', 'notes.txt'), '');
    const host = await front();
    const flags = ['--preset', 'low-poly', '--filter-speckle', '2'];
    const remote = await runJson(['in', '-o', 'out', '--remote', host.url, ...flags], { cwd, env });
    const local = await runJson(['in', '-o', 'here', ...flags], { cwd });
    assert.equal(remote.code, 1, remote.stderr);
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.svg', 'b/c.svg', 'd.svg']);
    for (const name of filesIn(join(cwd, 'out')))
      assert.equal(
        readFileSync(join(cwd, 'out', name), 'utf8'),
        readFileSync(join(cwd, 'here', name), 'utf8'),
      );
    assert.equal(remote.json.engine, 'remote');
    assert.deepEqual(remote.json.options, local.json.options);
    assert.deepEqual(remote.json.totals, local.json.totals);
    for (const [index, record] of remote.json.files.entries()) {
      const { thread, decodeMs, traceMs, output, ...same } = local.json.files[index] ?? assert.fail();
      if (record.status === 'failed') {
        assert.deepEqual(record.error, same.error);
        continue;
      }
      assert.deepEqual(record, {
        ...{ ...same, output: output?.replace('here', 'out') },
        ...{ decodeMs: record.decodeMs, traceMs: record.traceMs, host: host.url, attempts: 1 },
      });
      assert.ok(record.decodeMs > 0 && record.traceMs > 0);
    }
    // What is no image is found without a request.
    assert.equal(host.arrivals.length, 3);
    assertNoKey(remote);
  });

  test('images with an SVG are not sent again', async () => {
    const cwd = images(5);
    const host = await front((index) => (index === 2 ? refusal(500, 'internal') : undefined));
    const args = ['in', '-o', 'out', '--remote', `${host.url}/`];
    const first = await run(args, { cwd, env });
    assert.equal(first.code, 1, first.stderr);
    assert.equal(host.arrivals.length, 5);
    const resumed = await runJson([...args, '--skip-existing'], { cwd, env });
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(host.arrivals.length, 6);
    assert.deepEqual([resumed.json.totals.traced, resumed.json.totals.kept], [1, 4]);
    const refused = await runJson(args, { cwd, env });
    assert.equal(host.arrivals.length, 6);
    assert.ok(refused.json.files.every(({ error }) => error?.code === 'output_exists'));
  });

  test('reads the key from a file, stdin and stdout work', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    writeFileSync(join(cwd, 'key'), `${service.key}\n`);
    const { url } = await front();
    const input = readFileSync(join(cwd, 'a.png'));
    const outcome = await run(['-', '--remote', url, '--key-file', 'key'], { cwd, input });
    assert.equal(outcome.code, 0, outcome.stderr);
    assert.match(outcome.stdout, /^<svg .*<\/svg>$/s);
  });

  test('reads the key from a pipe', { skip: process.platform === 'win32' }, async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const { url } = await front();
    writeFileSync(join(cwd, 'key'), service.key);
    const through = ['sh', '-c', 'mkfifo pipe && (cat key > pipe &) && exec "$@"', 'sh'];
    const outcome = await run(['a.png', '--remote', url, '--key-file', 'pipe'], { cwd, through });
    assert.equal(outcome.code, 0, outcome.stderr);
  });

  test('invalid arguments have exit code 2 and send nothing', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const host = await front();
    writeFileSync(join(cwd, 'typo'), service.key.replace(/.$/, '?'));
    const cases: [args: string[], words: RegExp, env?: Record<string, string>][] = [
      [['--remote', 'localhost:8080'], /--remote must be URLs such as .*, not "localhost:8080"/],
      [['--remote', `${host.url},`], /--remote must be URLs .*, not ""/],
      [['--remote', 'http://user:secret@localhost'], /--remote must not contain credentials/],
      [['--remote', `${host.url}?a=b`], /without \?a=b/],
      [['--remote', host.url], /Set TRACESMITH_API_KEY or pass --key-file/, {}],
      [['--remote', host.url], /TRACESMITH_API_KEY does not hold an API key/, { TRACESMITH_API_KEY: 'ts' }],
      [['--remote', host.url, '--key-file', 'typo'], /typo does not hold an API key/],
      [['--remote', host.url, '--key-file', 'none'], /--key-file none: .*no such file/],
      [['--remote', host.url, '--engine', 'wasm'], /--engine and --remote cannot be combined/],
      [['--key-file', 'typo'], /--key-file is only for --remote/],
    ];
    for (const [args, words, variables = env] of cases) {
      const settings = { cwd, env: { TRACESMITH_API_KEY: '', ...variables } };
      const outcome = await run(['a.png', ...args], settings);
      assert.equal(outcome.code, 2, `${args}: ${outcome.stderr}`);
      assert.match(outcome.stderr, words);
      assert.doesNotMatch(outcome.stderr, /secret/);
      assertNoKey(outcome);
    }
    assert.equal(host.arrivals.length, 0);
    assert.deepEqual(filesIn(cwd), ['a.png', 'typo']);
  });

  test('an interrupted run leaves only complete SVGs', { skip: process.platform === 'win32' }, async () => {
    const cwd = images(3);
    const host = await front((index) =>
      index === 2 ? refusal(503, 'overloaded', { 'retry-after': '30' }) : undefined,
    );
    const child = start(['in', '-o', 'out', '--remote', host.url, '-j', '1'], { cwd, env });
    for await (const text of child.stderr ?? []) if (String(text).includes('overloaded')) break;
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(child.signalCode, 'SIGTERM');
    assert.deepEqual(filesIn(join(cwd, 'out')), ['0.svg', '1.svg']);
  });
});

describe('a request is repeated', { concurrency: 4 }, () => {
  const cases: [name: string, fault: Fault, delayMs: number][] = [
    ['429 of the service, after Retry-After', refusal(429, 'rate_limited', { 'retry-after': '2' }), 2_000],
    ['503 of the service, after Retry-After', refusal(503, 'shutting_down', { 'retry-after': '1' }), 1_000],
    ['503 of a balancer, after Retry-After', { status: 503, headers: { 'retry-after': '1' } }, 1_000],
    ['429 of a balancer without Retry-After', { status: 429 }, 1_000],
    ['503 of a balancer without Retry-After', { status: 503, body: '<h1>No server</h1>' }, 1_000],
    ['502 of a balancer', { status: 502 }, 1_000],
    ['502 of a balancer that answers like the service', refusal(502, 'internal'), 1_000],
    ['504 of a balancer', { status: 504 }, 1_000],
    ['504 of the service', refusal(504, 'processing_timeout'), 0],
    ['a reset connection', 'reset', 1_000],
    ['a response that is cut short', 'truncated', 1_000],
  ];
  for (const [name, fault, delayMs] of cases)
    test(name, async () => {
      const cwd = folderOf({ 'a.gif': 'letters.gif' });
      const host = await front((index) => (index === 0 ? fault : undefined));
      const outcome = await runJson(['a.gif', '--remote', host.url], { cwd, env });
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.equal(outcome.json.files[0]?.status, 'traced');
      const [first = 0, second = 0] = host.arrivals;
      assert.equal(host.arrivals.length, 2);
      assert.ok(second - first >= delayMs - EARLY_MS, `after ${second - first} ms`);
      assertNoKey(outcome);
    });

  test('but not at once by others to the same host', async () => {
    const cwd = images(4);
    const host = await front((index) =>
      index === 0 ? refusal(429, 'rate_limited', { 'retry-after': '1' }) : undefined,
    );
    const { code, stderr } = await run(['in', '-o', 'out', '-j', '1', '--remote', host.url], { cwd, env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The detail of rate_limited\. No requests to this host for 1\.\d s\.\n/);
    assert.equal(host.arrivals.length, 5);
  });

  test('but not if the delay is too long: the run ends at once', async () => {
    const cwd = images(3);
    const host = await front(() => refusal(429, 'rate_limited', { 'retry-after': '86400' }));
    const { code, json } = await runJson(['in', '-o', 'out', '-j', '1', '--remote', host.url], { cwd, env });
    assert.equal(code, 1);
    assert.equal(host.arrivals.length, 1);
    for (const { error } of json.files) assert.equal(error?.code, 'rate_limited');
  });

  test('but not forever: what always breaks fails after a few attempts', async () => {
    const cwd = folderOf({ 'a.gif': 'letters.gif' });
    const hosts = await Promise.all(Array.from({ length: 6 }, () => front(() => 'reset')));
    const list = hosts.map(({ url }) => url).join();
    const { code, json } = await runJson(['a.gif', '--remote', list], { cwd, env });
    assert.equal(code, 1);
    assert.equal(json.files[0]?.error?.code, 'remote_unreachable');
    assert.match(json.files[0]?.error?.message ?? '', /^http:\/\/127\.0\.0\.1:\d+ does not respond: /);
    assert.equal(hosts.flatMap(({ arrivals }) => arrivals).length, 5);
  });
});

describe('a request is not repeated', () => {
  for (const [status, code] of [
    [400, 'malformed_multipart'],
    [413, 'image_too_large'],
    [422, 'invalid_image'],
    [500, 'engine_failure'],
  ] as const)
    test(`${status} ${code}`, async () => {
      const cwd = folderOf({ 'a.gif': 'letters.gif', 'b.gif': 'letters.gif' });
      const host = await front((index) => (index === 0 ? refusal(status, code) : undefined));
      const args = ['a.gif', 'b.gif', '-j', '1', '--remote', host.url];
      const { json, stderr } = await runJson(args, { cwd, env });
      assert.equal(host.arrivals.length, 2);
      const message = `The detail of ${code}.`;
      const expected = { code, message, host: host.url, status, requestId: 'request-7' };
      assert.deepEqual(json.files[0]?.error, expected);
      assert.equal(json.files[1]?.status, 'traced');
      assert.match(stderr, new RegExp(`a\\.gif failed: The detail of ${code}\\. \\(${code}\\)\n`));
    });

  const useless: [name: string, fault: Fault, code: string, words: RegExp][] = [
    ['a key that is not valid', refusal(401, 'invalid_api_key'), 'invalid_api_key', /The detail of/],
    ['another path', { status: 404, body: '<h1>Not found</h1>' }, 'remote_error', /HTTP 404: "<h1>Not found/],
    [
      'a redirect, as the key is for this host',
      { status: 308, headers: { location: 'https://example.com/' } },
      'remote_error',
      /HTTP 308: redirect to https:\/\/example\.com\//,
    ],
    ['a page instead of an SVG', { status: 200, body: '<html>' }, 'remote_error', /HTTP 200: "<html>"/],
  ];
  for (const [name, fault, code, words] of useless)
    test(`${name}: no other image is sent either`, async () => {
      const cwd = images(4);
      const host = await front(() => fault);
      const args = ['in', '-o', 'out', '-j', '1', '--remote', host.url];
      const { json, stderr } = await runJson(args, { cwd, env });
      assert.equal(host.arrivals.length, 1, stderr);
      for (const { error } of json.files) {
        assert.equal(error?.code, code);
        assert.match(error.message, words);
      }
    });

  test('a real service refuses an unknown key', async () => {
    const cwd = folderOf({ 'a.gif': 'letters.gif' });
    const { url } = await front();
    const unknown = { TRACESMITH_API_KEY: generateKey() };
    const { json } = await runJson(['a.gif', '--remote', url], { cwd, env: unknown });
    assert.equal(json.files[0]?.error?.code, 'invalid_api_key');
    assert.equal(json.files[0]?.error?.message, `${url}: The API key is not valid.`);
  });
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('several hosts', () => {
  test('share the work', async () => {
    const cwd = images(24);
    const hosts = [await front(), await front(), await front()];
    const list = hosts.map(({ url }) => url).join(', ');
    const { code, json, stderr } = await runJson(['in', '-o', 'out', '--remote', list], { cwd, env });
    assert.equal(code, 0, stderr);
    assert.equal(json.jobs, 12);
    for (const { url, arrivals } of hosts) {
      assert.ok(arrivals.length >= 4, `${arrivals.length} requests`);
      assert.ok(json.files.some(({ host }) => host === url));
    }
  });

  test('one that breaks is left out for a while, one that is not there as well', async () => {
    const cwd = images(30);
    const [good, bad] = [await front(), await front(() => 'reset')];
    const absent = await closedPort();
    const list = `${bad.url},http://127.0.0.1:${absent},${good.url}`;
    const { code, json, stderr } = await runJson(['in', '-o', 'out', '--remote', list], { cwd, env });
    assert.equal(code, 0, stderr);
    assert.ok(json.files.every(({ host }) => host === good.url));
    // Four at first, then one at a time, after ever longer pauses.
    assert.ok(bad.arrivals.length <= 10, `${bad.arrivals.length} requests`);
    assert.match(
      stderr,
      new RegExp(`${absent} does not respond: .*ECONNREFUSED.*\\. No requests to this host for 1\\.\\d s`),
    );
  });

  test('one whose key is not valid does not stop the others', async () => {
    const cwd = images(6);
    const [good, bad] = [await front(), await front(() => refusal(401, 'invalid_api_key'))];
    const args = ['in', '-o', 'out', '-j', '2', '--remote', `${bad.url},${good.url}`];
    const { code, json, stderr } = await runJson(args, { cwd, env });
    assert.equal(code, 0, stderr);
    assert.equal(json.totals.traced, 6);
    assert.ok(bad.arrivals.length <= 2);
  });
});

test('the limit of concurrent requests of the account is found', async () => {
  const limited = await InProcessService.start({ workers: 1, proConcurrency: 2 });
  after(() => limited.stop());
  const cwd = images(40);
  put(cwd, 'in/large.jpg', 'landscape.jpg');
  const host = await Front.start(limited.port);
  const settings = { cwd, env: { TRACESMITH_API_KEY: limited.key } };
  const args = ['in', '-o', 'out', '-j', '8', '--remote', host.url];
  const { code, json, stderr } = await runJson(args, settings);
  assert.equal(code, 0, stderr);
  assert.equal(json.totals.traced, 41);
  const refused = host.statuses.filter((status) => status === 429).length;
  assert.ok(refused >= 1 && refused <= 12, `${refused} requests were refused`);
});
