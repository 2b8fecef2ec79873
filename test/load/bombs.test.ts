import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { END, FILE_HEADERS, part, Service, wireHead } from '../http/service.ts';
import { type Bomb, bombs } from './bombs.ts';
import { addAccounts, percentile, secondFor, smallRequests } from './loaded-service.ts';

/** Small enough for a test of seconds; each takes seconds to trace, where it can be traced at all. */
const SIDE_PX = 2_000;
const OF_EACH_KIND = 8;
const SMALL_REQUESTS = 100;
const PAUSE_MS = 20;
/** Everything that a request holds. */
const HELD = [
  ...['http_server_active_requests', 'tracesmith_requests_in_flight'],
  ...['tracesmith_jobs_waiting', 'tracesmith_jobs_running'],
  ...['tracesmith_image_memory_reserved_bytes', 'tracesmith_transfer_memory_reserved_bytes'],
];

describe('while bombs run, small requests of another account are answered within a second', () => {
  let service: Service;
  let kinds: Bomb[];
  let calm: number[];
  let accounts: string[];
  before(async () => {
    // Enough for the memory of these images that 40 MP need of the default.
    service = await Service.start({ TRACESMITH_MEMORY_BYTES: String(512 * 1024 ** 2) });
    kinds = await bombs(SIDE_PX);
    accounts = await addAccounts(service, OF_EACH_KIND);
    calm = (await smallRequests(service, service.keys.custom, 20, PAUSE_MS)).sorted;
  });
  after(() => service.stop());

  const attackBy = async (keyOf: (i: number) => string) => {
    let isOver = false;
    const sockets = new Set<Socket>();
    const loop = async (bomb: Bomb, key: string) => {
      while (!isOver) await throwAt(service, bomb, key, sockets);
    };
    const attack = kinds.flatMap((bomb) =>
      Array.from({ length: OF_EACH_KIND }, (_, i) => loop(bomb, keyOf(i))),
    );
    const measure = async () => {
      await service.untilMetric('tracesmith_jobs_running', (count) => count >= 2);
      return smallRequests(service, service.keys.custom, SMALL_REQUESTS, PAUSE_MS);
    };
    const { sorted, slowest } = await measure().finally(() => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(attack);
    const worst = percentile(sorted, 0.99);
    console.log(`p50 ${percentile(sorted, 0.5)}, p99 ${worst} ms; slowest ${slowest}`);
    assert.ok(worst <= secondFor(calm), `${slowest}; without bombs ${percentile(calm, 0.99)} ms`);
    for (const name of HELD) await service.untilMetric(name, 0);
    assert.equal(await service.metric('tracesmith_worker_restarts_total'), 0);
  };

  test(`${OF_EACH_KIND} of each kind from one account`, () => attackBy(() => service.keys.enterprise));
  test(`${OF_EACH_KIND} of each kind from eight accounts`, () => attackBy((i) => accounts[i] ?? ''));
});

/** Sends one bomb and resolves when its connection is closed: after its response, or by the caller. */
function throwAt(service: Service, { file, config }: Bomb, key: string, sockets: Set<Socket>): Promise<void> {
  const options = part(['Content-Disposition: form-data; name="config"'], JSON.stringify(config ?? {}));
  const body = Buffer.concat([options, part(FILE_HEADERS, file), END]);
  const head = wireHead(key, body.length).replace('Host:', 'Connection: close\r\nHost:');
  return new Promise((resolve) => {
    const socket = connect(service.port, 'localhost', () =>
      socket.write(Buffer.concat([Buffer.from(head), body])),
    );
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        // A rejected sender waits a little, as otherwise this process would need the CPU for itself.
        setTimeout(resolve, 200);
      });
    socket.resume();
  });
}
