import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { program as runProgram } from '../clients/program.ts';
import { InProcessService } from '../http/support/in-process-service.ts';
import { folderOf, type Json, program } from './command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs', 'cli.md'), 'utf8');
const fences = Array.from(
  page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms),
  ([, language, info, text]) => ({
    language,
    info,
    text: String(text),
  }),
);

/** A folder with the files of the examples, and a PATH with `tracesmith`. */
function workplace(): { cwd: string; env: Record<string, string> } {
  const cwd = folderOf({
    'logo.png': 'logo.png',
    'scans/page.png': 'badge.webp',
    'scans/old/letter.bmp': 'letters.bmp',
  });
  mkdirSync(join(cwd, '.bin'));
  const command = join(cwd, '.bin', 'tracesmith');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(command, 0o755);
  return { cwd, env: { PATH: [join(cwd, '.bin'), process.env.PATH].join(delimiter) } };
}

const skip = process.platform === 'win32' && 'the examples are for a POSIX shell';

describe('the examples of docs/cli.md', { skip }, () => {
  const others = ['repository', 'remote'];
  const scripts = fences.filter(({ language, info = '' }) => language === 'sh' && !others.includes(info));
  assert.ok(scripts.length > 5);
  for (const { info, text } of scripts) {
    test(text.split('\n').at(-2) ?? '', async () => {
      const { cwd, env } = workplace();
      for (const line of text.trim().split('\n')) {
        const drawing = /# → (\S+)$/.exec(line)?.[1];
        if (drawing !== undefined) rmSync(join(cwd, drawing), { force: true });
        const expected =
          line === text.trim().split('\n').at(-1) ? Number(/exit=(\d)/.exec(info ?? '')?.[1] ?? 0) : 0;
        await runProgram('sh', ['-c', `(${line}\n); test $? -eq ${expected}`], { cwd, env });
        if (drawing !== undefined) assert.ok(existsSync(join(cwd, drawing)), line);
      }
    });
  }

  test('on other machines', async () => {
    const service = await InProcessService.start({});
    const { cwd, env } = workplace();
    const text = fences.find(({ info }) => info === 'remote')?.text ?? '';
    const url = `http://127.0.0.1:${service.port}`;
    const script = text.replaceAll(/https:[\w./]+/g, url);
    await runProgram('sh', ['-ec', script], { cwd, env: { ...env, API_KEY: service.key } });
    await service.stop();
    const drawings = Array.from(text.matchAll(/# → (\S+)$/gm), ([, path]) => path);
    assert.ok(drawings.length >= 2);
    for (const drawing of drawings) assert.ok(existsSync(join(cwd, String(drawing))), drawing);
  });

  test('the report has the form that the page shows', async () => {
    const { cwd, env } = workplace();
    const example = fences.findIndex(({ info }) => info === 'report');
    await runProgram('sh', ['-c', `${fences[example - 1]?.text}true`], { cwd, env });
    const shown = JSON.parse(fences[example]?.text ?? '') as Json;
    const real = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Json;
    assert.deepEqual(Object.keys(real), Object.keys(shown));
    assert.deepEqual(real.totals, shown.totals);
    for (const [index, record] of shown.files.entries()) {
      assert.deepEqual(Object.keys(real.files[index] ?? {}), Object.keys(record));
      assert.deepEqual(real.files[index]?.error, record.error);
      assert.equal(real.files[index]?.status, record.status);
    }
  });

  test('the exit codes are those of --help', async () => {
    const help = await runProgram(process.execPath, [program, '--help']);
    const [, told = ''] = help.split('\nExit codes:\n');
    const codes = Array.from(told.matchAll(/^ {2}(\d+) /gm), ([, code]) => code);
    const [, after = ''] = page.split('| Exit code | Meaning |\n| --- | --- |\n');
    const [table = ''] = after.split('\n\n');
    assert.deepEqual(
      Array.from(table.matchAll(/^\| (\d+) /gm), ([, code]) => code),
      codes,
    );
  });

  test('the command in this repository resolves all names from the folder where it is typed', async () => {
    const { cwd } = workplace();
    const script = ['run', '--silent', '--prefix', ROOT, 'trace', '--'];
    const trace = (...args: string[]) => runProgram('npm', [...script, ...args], { cwd });
    await trace('logo.png', '-o', 'here.svg');
    assert.match(readFileSync(join(cwd, 'here.svg'), 'utf8'), /^<svg /);
    await trace('scans', '-o', 'out');
    assert.ok(existsSync(join(cwd, 'out', 'old', 'letter.svg')));
    const remote = ['--remote', 'http://127.0.0.1:9', '--key-file', 'key'];
    writeFileSync(join(cwd, 'key'), 'not a key');
    await assert.rejects(trace('logo.png', '--force', ...remote), /key does not hold an API key/);
  });

  test('the command in this repository', async () => {
    const { cwd } = workplace();
    const script = fences.find(({ info }) => info === 'repository')?.text ?? '';
    const drawing = join(cwd, 'logo.svg');
    await runProgram('sh', ['-c', script.replace('-o logo.svg', `-o '${drawing}'`)], { cwd: ROOT });
    assert.match(readFileSync(drawing, 'utf8'), /^<svg /);
  });
});
