import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './support/client.ts';
import { PROPERTIES } from './support/properties.ts';
import { assertRecovered, series, useService } from './support/resources.ts';

/** The same on every run; the soak uses others. */
const TRIALS = { runs: 200, seed: 1 };

const used = useService();

for (const [what, check] of Object.entries(PROPERTIES)) {
  test(`${what}: a success or a problem document, never a fault of the service, and all is released`, async () => {
    const { service, rest } = used;
    const target = { port: service.port, key: service.keys.enterprise, send: exchange };
    await check(target, TRIALS);
    await assertRecovered(service, rest);
    const counts = await series(service, 'http_server_request_duration_seconds_count');
    const faults = [...counts.keys()].filter((labels) => labels.includes('status_code="5'));
    assert.deepEqual(faults, []);
  });
}
