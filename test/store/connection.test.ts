import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { test } from 'node:test';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { Store } from '../../host/store/store.ts';
import { keysProgram } from '../../scripts/processes/programs.ts';
import { Valkey } from '../../scripts/processes/valkey.ts';
import { DEADLINE_MS } from '../http/service.ts';
import { needsValkey } from './use-valkey.ts';

/** Long, as the machine of a test can be busy. */
const PATIENT_MS = 5_000;

test('connecting fails with a message that has no password', needsValkey, async () => {
  const locked = await Valkey.start('--requirepass', 'right');
  try {
    const url = `redis://:wr0ng-secret@127.0.0.1:${locked.port}`;
    await assert.rejects(Store.connect({ url, timeoutMs: PATIENT_MS }, 500), (error: Error) => {
      assert.match(error.message, /^the store is out of reach: WRONGPASS/);
      assert.ok(!error.message.includes('wr0ng-secret'));
      return true;
    });
    const right = await Store.connect({ url: url.replace('wr0ng-secret', 'right'), timeoutMs: PATIENT_MS });
    assert.ok(right.isAvailable);
    await right.close();
  } finally {
    await locked.stop();
  }
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
test('rediss:// encrypts, and checks the certificate', {
  skip: needsValkey.skip || (!hasOpenssl && !process.env.CI && 'openssl is not installed'),
}, async (t) => {
  const valkey = await Valkey.start();
  t.after(() => valkey.stop());
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=store', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject]);
  assert.equal(made.status, 0, String(made.stderr));
  const options = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const server = createServer(options, (secure) => {
    const plain = connect(valkey.port, '127.0.0.1');
    pipeline(secure, plain, secure, () => {});
  }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `rediss://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(
    Store.connect({ url, timeoutMs: PATIENT_MS }, 500),
    /the store is out of reach: self-signed certificate/,
  );
  const list = spawn(process.execPath, [...keysProgram, 'list'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, TRACESMITH_STORE: url, NODE_EXTRA_CA_CERTS: certificateFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [code] = await once(list, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
  assert.equal(code, 0);
});
