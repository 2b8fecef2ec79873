import { after, before, test } from 'node:test';
import { Service } from '../http/service.ts';
import { PROPERTIES } from './support/properties.ts';
import { assertRecovered, type Resources, resourcesAtRest } from './support/resources.ts';

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
    await check(service, TRIALS);
    await assertRecovered(service, rest);
  });
}
