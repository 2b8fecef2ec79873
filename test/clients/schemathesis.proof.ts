import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pythonClients, pythonProgram } from '../../scripts/setup/http-clients.ts';
import { Service } from '../http/service.ts';
import { program } from './program.ts';

const PICTURES = fileURLToPath(new URL('../pictures', import.meta.url));
const PHASES = 'examples,coverage,fuzzing';
/** A run ends by itself long before. */
const TIMEOUT_MS = 240_000;

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

/** Runs Schemathesis; throws with its report if it finds anything. Returns how many requests it made. */
async function schemathesis(files: string, ...args: string[]): Promise<number> {
  const key = ['--header', `Authorization: Bearer ${service.keys.custom}`];
  // A seed of its own each time would make failures that nobody can repeat.
  const steady = ['--seed', '1', '--request-timeout', '30', '--no-color'];
  const run = ['run', `${service.url}/openapi.json`, '--phases', PHASES, ...key, ...steady, ...args];
  const env = { TRACESMITH_FILES: files, TRACESMITH_PICTURES: PICTURES, SCHEMATHESIS_HOOKS: 'hooks.py' };
  const report = await program(pythonProgram('schemathesis'), run, {
    cwd: pythonClients,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  console.log(report);
  return Number(/(\d+) generated/.exec(report)?.[1]);
}

/** Every `status code` that the service has answered with. */
function answersSeen(): string[] {
  const lines = service.log.map((line) => JSON.parse(line));
  return [...new Set(lines.map(({ status, code = '' }) => `${status} ${code}`.trim()))];
}

test('whole pictures: every check', async () => {
  const count = await schemathesis('pictures', '--max-examples', '150');
  assert.ok(count >= 200, `only ${count} requests`);
  const expected = ['200', '422 invalid_config', '400 missing_file', '400 unexpected_part'];
  const rest = ['401 missing_credentials', '401 invalid_api_key', '405 method_not_allowed'];
  const seen = answersSeen();
  for (const answer of [...expected, ...rest]) assert.ok(seen.includes(answer), `never saw ${answer}`);
});

test('damaged pictures: every check but that whatever the document allows is accepted', async () => {
  const count = await schemathesis(
    'damaged',
    '--max-examples',
    '300',
    '--exclude-checks',
    'positive_data_acceptance',
  );
  assert.ok(count >= 200, `only ${count} requests`);
  const seen = answersSeen();
  for (const answer of ['422 invalid_image', '415 unsupported_image_format'])
    assert.ok(seen.includes(answer));
});

test('nothing failed inside', () => {
  assert.deepEqual(
    service.log.filter((line) => line.includes('"level":"error"')),
    [],
  );
});
