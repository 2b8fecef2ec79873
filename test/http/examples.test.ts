import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { program } from '../clients/program.ts';
import { Service } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PICTURE = join(ROOT, 'test', 'pictures', 'logo.png');
const [, examples = ''] = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8').split('\n## Examples\n');

/** The URL in the example. */
interface Runner {
  language: string;
  command: string;
  args(file: string): string[];
  /** Exits with 0 if the example can run. */
  check: string[];
}

// npm run prove-api sets a Python that has the package.
const python = process.env.TRACESMITH_PYTHON ?? 'python3';
const RUNNERS: Runner[] = [
  { language: 'sh', command: 'sh', args: (file) => [file], check: ['-c', 'curl --version'] },
  { language: 'js', command: process.execPath, args: (file) => [file], check: ['--version'] },
  { language: 'python', command: python, args: (file) => [file], check: ['-c', 'import requests'] },
];

let service: Service;
let folder: string;
before(async () => {
  service = await Service.start();
  folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  copyFileSync(PICTURE, join(folder, 'logo.png'));
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('the examples of docs/api.md', () => {
  for (const { language, command, args, check } of RUNNERS) {
    test(language, async (t) => {
      const isHere = await program(command, check).catch(() => undefined);
      if (isHere === undefined) return t.skip(`${command} ${check.join(' ')} fails here`);
      const code = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(examples)?.[1] ?? '';
      const file = join(folder, `example.${language === 'js' ? 'mjs' : language}`);
      writeFileSync(file, code.replaceAll('http://localhost:8080', service.url));
      const drawing = join(folder, 'logo.svg');
      rmSync(drawing, { force: true });
      const withKey = (key: string) => program(command, args(file), { cwd: folder, env: { API_KEY: key } });

      await assert.rejects(withKey('wrong'), /invalid_api_key|ended with 22:/);
      const left = existsSync(drawing) ? readFileSync(drawing, 'utf8') : '';
      assert.ok(!left.startsWith('<svg'), 'a refusal is not a drawing');
      await withKey(service.keys.custom);
      assert.match(readFileSync(drawing, 'utf8'), /^<svg [^>]*viewBox="0 0 256 256"/);
    });
  }
});
