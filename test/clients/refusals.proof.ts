import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nodeClients, pythonClients, pythonProgram } from '../../scripts/setup/http-clients.ts';
import { Service } from '../http/service.ts';
import { program } from './program.ts';

const CASES = ['wrong key', 'too large', 'too large, chunked', 'invalid config'] as const;
type Case = (typeof CASES)[number];

const EXPECTED: Record<Case, string> = {
  'wrong key': '401 invalid_api_key',
  'too large': '413 payload_too_large',
  'too large, chunked': '413 payload_too_large',
  'invalid config': '422 invalid_config',
};
/** What is seen only sometimes would be a reset. */
const TRIES = 3;

let service: Service;
let folder: string;
before(async () => {
  service = await Service.start();
  folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  writeFileSync(join(folder, 'large.png'), Buffer.alloc(30_000_000));
  writeFileSync(join(folder, 'small.png'), Buffer.alloc(20_000_000));
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

type Send = (what: Case, url: string, key: string) => Promise<string>;

const node =
  (client: string): Send =>
  (what, url, key) =>
    program(process.execPath, ['refusal.mjs', client, what, url, key], { cwd: nodeClients });
const python =
  (client: string): Send =>
  (what, url, key) =>
    program(pythonProgram('python'), ['refusal.py', client, what, url, key], { cwd: pythonClients });

const curl =
  (...expect: string[]): Send =>
  async (what, url, key) => {
    const chunked = what === 'too large, chunked' ? ['-H', 'Transfer-Encoding: chunked'] : [];
    const isConfig = what === 'invalid config';
    const config = isConfig ? ['-F', 'config={"mode": "splines"}'] : [];
    const file = join(folder, isConfig ? 'small.png' : 'large.png');
    const form = [...config, '-F', `file=@${file}`];
    const headers = ['-H', `Authorization: Bearer ${key}`, ...expect, ...chunked];
    const text = await program('curl', ['-sS', '-w', '\n%{http_code}', url, ...headers, ...form]);
    const [body = '', status] = text.split('\n');
    return `${status} ${JSON.parse(body).code}`;
  };

const CLIENTS: Record<string, Send> = {
  curl: curl(),
  'curl, without Expect': curl('-H', 'Expect:'),
  undici: node('undici'),
  'fetch of Node.js': node('fetch'),
  axios: node('axios'),
  requests: python('requests'),
  httpx: python('httpx'),
};

for (const [name, send] of Object.entries(CLIENTS)) {
  describe(`a refusal during a large upload reaches ${name}`, () => {
    for (const what of CASES) {
      test(what, async () => {
        const key = what === 'wrong key' ? 'wrong' : service.keys.enterprise;
        for (let count = 0; count < TRIES; count++) {
          const answer = await send(what, `${service.url}/v1/vectorize`, key);
          assert.equal(answer.trim(), EXPECTED[what]);
        }
      });
    }
  });
}
