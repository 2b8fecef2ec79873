import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { keysProgram, serviceProgram } from '../../scripts/processes/programs.ts';
import { DEADLINE_MS, form, picture, Service } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true }));

const options = { skip: process.platform === 'win32' && 'Windows has neither FIFOs nor SIGTERM' };

/** Replaces a key file by a FIFO that nobody writes to. */
function replaceByFifo(path: string): void {
  rmSync(path);
  execFileSync('mkfifo', [path]);
}

describe('a key file that is no regular file', options, () => {
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const directory = join(folder, 'directory');
  mkdirSync(directory);

  for (const path of [fifo, directory, '/dev/zero']) {
    test(`${path.replace(folder, '')} ends the service at start`, async () => {
      const env = { ...process.env, PORT: '0', TRACESMITH_KEYS_FILE: path };
      const options = { cwd: ROOT, env, timeout: DEADLINE_MS };
      const run = promisify(execFile)(process.execPath, serviceProgram, options);
      await assert.rejects(run, ({ code, stderr }) => code === 1 && stderr.includes('not a regular file'));
    });

    test(`${path.replace(folder, '')} ends the keys command`, async () => {
      const args = [...keysProgram, 'list', '--file', path];
      const run = promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: DEADLINE_MS });
      await assert.rejects(run, ({ code, stderr }) => code === 1 && stderr.includes('not a regular file'));
    });
  }

  test('a file too large to be a key file ends the keys command', async () => {
    const path = join(folder, 'large');
    writeFileSync(path, '');
    truncateSync(path, 33 * 1024 * 1024);
    const args = [...keysProgram, 'list', '--file', path];
    const run = promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: DEADLINE_MS });
    await assert.rejects(run, ({ code, stderr }) => code === 1 && stderr.includes('the limit is 33554432'));
  });

  test('a running service keeps its keys, reports the file, and ends', async (t) => {
    const service = await Service.start();
    t.after(() => service.stop());
    replaceByFifo(service.keysFile);
    await service.untilLogged('is not a regular file');
    assert.equal(await service.metric('tracesmith_key_file_up_to_date'), 0);
    assert.equal((await service.post(form(picture('logo.png')))).status, 200);
    const exit = once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  });
});

test(
  'a read that hangs is reported, blocks no other work, and does not keep the process alive',
  options,
  async (t) => {
    // Opens, instead of the key file, a FIFO without a writer, as soon as a file `hang` stands beside it: like a file system
    // that no longer responds, this blocks a thread of Node.js for good.
    const hung = join(folder, 'hung');
    execFileSync('mkfifo', [hung]);
    const preload = join(folder, 'preload.mjs');
    writeFileSync(
      preload,
      `import { existsSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import promises from 'node:fs/promises';
    const { open } = promises;
    promises.open = (path, ...rest) =>
      String(path).endsWith('keys.json') && existsSync(path + '.hang') ? open(${JSON.stringify(hung)}) : open(path, ...rest);
    syncBuiltinESMExports();`,
    );
    const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(preload).href}`;
    const service = await Service.start({ NODE_OPTIONS: nodeOptions });
    t.after(() => service.stop());
    writeFileSync(`${service.keysFile}.hang`, '');
    await service.untilMetric('tracesmith_key_file_up_to_date', 0);
    await service.untilLogged('could not be read within 5000 ms');
    assert.equal((await service.post(form(picture('logo.png')))).status, 200);
    const exit = once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [null, 'SIGKILL']);
    await service.untilLogged('a read of the key file does not end');
  },
);
