import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { DEADLINE_MS } from '../http/service.ts';
import { InProcessService } from '../http/support/in-process-service.ts';

const IDLE_MS = 1_000;
/** node:http closes a connection a little later than it tells the client. */
const SPARE_MS = 5;

describe('an idle connection', () => {
  test('stays open as long as the setting says, and is closed then', async () => {
    const service = await InProcessService.start({ keepAliveTimeoutMs: IDLE_MS });
    after(() => service.stop());
    const socket = connect(service.port, '127.0.0.1');
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    const [head] = await once(socket, 'data', deadline);
    assert.match(String(head), /\r\nKeep-Alive: timeout=1\r\n/);
    const startMs = performance.now();
    socket.resume();
    await once(socket, 'close', deadline);
    assert.ok(performance.now() - startMs >= IDLE_MS - SPARE_MS);
  });
});
