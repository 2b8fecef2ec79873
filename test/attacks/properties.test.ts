import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Service } from '../http/service.ts';
import { exchange } from './support/client.ts';
import { PROPERTIES } from './support/properties.ts';
import { assertRecovered, type Resources, resourcesAtRest, series } from './support/resources.ts';

/** The same on every run; the soak uses others. */
const TRIALS = { runs: 200, seed: 1 };

let service: Service;
let rest: Resources;
before(async () => {
  service = await Service.start();
  rest = await resourcesAtRest(service);
});
after(() => service.stop());

for (const [what, check] of Object.entries(PROPERTIES)) {
  test(`${what}: a success or a problem document, never a fault of the service, and all is released`, async () => {
    const target = { port: service.port, key: service.keys.enterprise, send: exchange };
    await check(target, TRIALS);
    await assertRecovered(service, rest);
    const counts = await series(service, 'http_server_request_duration_seconds_count');
    const faults = [...counts.keys()].filter((labels) => labels.includes('status_code="5'));
    assert.deepEqual(faults, []);
  });
}
