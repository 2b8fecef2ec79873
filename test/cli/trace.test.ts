import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readSettings } from '../../host/config/settings.ts';
import { decodeRaster } from '../../host/image/decode.mjs';
import { picture } from '../http/service.ts';
import { assemble, emptyFolder, filesIn, folderOf, put, run, runJson } from './command.ts';

const isNativeMissing = process.env.TRACESMITH_NATIVE === '' ? 'the native engine was not built' : false;
const MANY = 24;
/** Node.js, its threads and two open images need about thirty file descriptors. */
const FEW_HANDLES = 64;

/** Permissions do not apply to root, unless it is started without that capability. */
const rights = '-dac_override,-dac_read_search';
const asUser =
  process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${rights}`, `--inh-caps=${rights}`] : [];

function canLock(): string | false {
  if (process.platform === 'win32') return 'Windows has no such modes';
  const [command = 'true', ...rest] = [...asUser, 'true'];
  return spawnSync(command, rest).status === 0 ? false : `${command} cannot be used here`;
}

describe('tracesmith', () => {
  test('writes the SVG next to the image', async () => {
    const cwd = folderOf({ 'logo.png': 'logo.png' });
    const { code, stdout, stderr } = await run(['logo.png'], { cwd });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^logo\.png → logo\.svg \(\d+ bytes, \d+ paths, \d+ ms\)\n$/);
    assert.match(readFileSync(join(cwd, 'logo.svg'), 'utf8'), /^<svg [^>]*viewBox="0 0 256 256".*<\/svg>$/s);
  });

  test('traces a folder with its subfolders, and keeps their structure', async () => {
    const cwd = folderOf({
      'in/a.png': 'logo.png',
      'in/b/c.JPG': 'landscape.jpg',
      'in/b/d.webp': 'badge.webp',
      'in/b/.hidden/e.gif': 'letters.gif',
      'in/b/.e.gif': 'letters.gif',
      'in/f.bmp': 'letters.bmp',
    });
    writeFileSync(join(cwd, 'in', 'notes.txt'), 'no picture');
    const { code, json, stderr } = await runJson(['in', '-o', 'out'], { cwd });
    assert.equal(code, 0, stderr);
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.svg', 'b/c.svg', 'b/d.svg', 'f.svg']);
    assert.deepEqual(json.totals, { traced: 4, failed: 0, kept: 0, interrupted: 0, passedOver: 1 });
    assert.match(stderr, /\n4 traced, 0 failed, 1 skipped \(not an image\)\.\n$/);
  });

  test('traces the files of a pattern; its fixed prefix is not repeated in the output folder', async () => {
    const cwd = folderOf({
      'art/new/a.png': 'logo.png',
      'art/new/x/b.png': 'logo.png',
      'art/new/x/c.gif': 'letters.gif',
      'art/d.png': 'logo.png',
    });
    const { code, stderr } = await run(['art/new/**/*.png', '-o', 'out/'], { cwd });
    assert.equal(code, 0, stderr);
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.svg', 'x/b.svg']);
    // An existing file is used even if its name looks like a pattern.
    put(cwd, '[a].png', 'badge.webp');
    const named = await run(['[a].png'], { cwd });
    assert.equal(named.code, 0, named.stderr);
    assert.ok(filesIn(cwd).includes('[a].svg'));
  });

  test('reads stdin, and writes stdout or a file', async () => {
    const cwd = emptyFolder();
    const piped = await run(['-'], { cwd, input: picture('letters.gif') });
    assert.equal(piped.code, 0, piped.stderr);
    assert.match(piped.stdout, /^<svg .*<\/svg>$/s);
    assert.deepEqual(filesIn(cwd), []);
    const named = await run(['-', '-o', 'a.svg'], { cwd, input: picture('letters.gif') });
    assert.equal(named.code, 0, named.stderr);
    assert.equal(readFileSync(join(cwd, 'a.svg'), 'utf8'), piped.stdout);
    put(cwd, 'letters.gif', 'letters.gif');
    assert.equal((await run(['letters.gif', '-o', '-'], { cwd })).stdout, piped.stdout);
  });

  test('explicit options override the preset', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const args = ['a.png', '--preset', 'low-poly', '--filterSpeckle', '2.5', '--corner-threshold=10'];
    const { json } = await runJson(args, { cwd });
    const expected = {
      mode: 'polygon',
      filterSpeckle: 2.5,
      layerDifference: 40,
      lengthThreshold: 12,
      cornerThreshold: 10,
    };
    assert.deepEqual(json.options, expected);
    assert.doesNotMatch(readFileSync(join(cwd, 'a.svg'), 'utf8'), /d="[^"]*[acs]/i);
  });

  test('the report has a record for each image', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.jpg': 'landscape.jpg' });
    writeFileSync(join(cwd, 'bad.png'), 'no picture');
    const { code, json } = await runJson(['b.jpg', 'bad.png', 'a.png', 'missing.png'], { cwd });
    assert.equal(code, 1);
    assert.equal(json.exitCode, 1);
    assert.match(json.version, /^\d+\.\d+\.\d+$/);
    const [jpeg, bad, png, missing] = json.files;
    for (const [record, name, file] of [
      [jpeg, 'b', 'landscape.jpg'],
      [png, 'a', 'logo.png'],
    ] as const) {
      assert.equal(record?.status, 'traced');
      assert.equal(record.inputBytes, picture(file).length);
      const svg = readFileSync(join(cwd, `${name}.svg`), 'utf8');
      assert.equal(record.outputBytes, Buffer.byteLength(svg));
      assert.equal(record.paths, svg.match(/<path/g)?.length);
      assert.ok(svg.includes(`width="${record.width}" height="${record.height}"`));
      assert.ok(record.traceMs > 0 && record.decodeMs > 0 && record.thread > 0);
    }
    assert.equal(bad?.error?.code, 'unsupported_image_format');
    assert.equal(missing?.error?.code, 'cannot_read');
    assert.match(missing?.error?.message ?? '', /no such file/);
  });
});

describe('a failed image', () => {
  test('is reported and does not stop the others', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.png': 'logo.png', 'c.jpg': 'landscape.jpg' });
    writeFileSync(join(cwd, 'bad.png'), 'no picture');
    writeFileSync(join(cwd, 'cut.png'), picture('logo.png').subarray(0, 3000));
    writeFileSync(join(cwd, 'empty.png'), '');
    symlinkSync('nowhere.png', join(cwd, 'link.png'));
    const { code, stderr } = await run(['.', '-o', 'out'], { cwd });
    assert.equal(code, 1);
    assert.match(stderr, /\] bad\.png failed: The file is not a PNG, .* \(unsupported_image_format\)\n/);
    assert.match(stderr, /\] cut\.png failed: The image is corrupt or truncated\. \(invalid_image\)\n/);
    assert.match(stderr, /\] empty\.png failed: The file is empty\. \(invalid_image\)\n/);
    assert.match(stderr, /\] link\.png failed: .*no such file.* \(cannot_read\)\n/);
    assert.match(stderr, /\n3 traced, 4 failed\.\n$/);
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.svg', 'b.svg', 'c.svg']);
    const quiet = await run(['a.png', 'bad.png', '-q', '-f'], { cwd });
    assert.match(quiet.stderr, /^\[\d\/2\] bad\.png failed: [^\n]*\n$/);
  });

  test('many files are not open at the same time', { skip: process.platform === 'win32' }, async () => {
    const names = Array.from({ length: 3 * FEW_HANDLES }, (_, index) => [`in/${index}.gif`, 'letters.gif']);
    const cwd = folderOf(Object.fromEntries(names));
    const through = ['sh', '-c', `ulimit -n ${FEW_HANDLES} && exec "$@"`, 'sh'];
    const { code, stderr } = await run(['in', '-o', 'out', '-q'], { cwd, through });
    assert.equal(code, 0, stderr);
    assert.equal(filesIn(join(cwd, 'out')).length, 3 * FEW_HANDLES);
  });

  test('the limits are those of the service, and the message names their variables', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.bmp': 'letters.bmp' });
    const cases = [
      ['TRACESMITH_MAX_PIXELS', '7199', 'image_too_large'],
      ['TRACESMITH_MAX_SIDE_PX', '119', 'image_too_large'],
      ['TRACESMITH_MAX_FILE_BYTES', '100', 'payload_too_large'],
    ] as const;
    for (const [variable, value, expected] of cases) {
      const { code, json } = await runJson(['a.png', 'b.bmp'], { cwd, env: { [variable]: value } });
      assert.equal(code, 1);
      for (const { error } of json.files) {
        assert.equal(error?.code, expected);
        assert.ok(error.message.includes(variable), error.message);
      }
    }
    const piped = await run(['-'], { input: picture('logo.png'), env: { TRACESMITH_MAX_FILE_BYTES: '100' } });
    assert.match(piped.stderr, /payload_too_large/);
    assert.equal(piped.stdout, '');
  });

  test('an unreadable folder counts as failed', { skip: canLock() }, async () => {
    const cwd = folderOf({ 'in/a.png': 'logo.png', 'in/locked/b.png': 'logo.png' });
    chmodSync(join(cwd, 'in', 'locked'), 0);
    const { code, json, stderr } = await runJson(['in', '-o', 'out'], { cwd, through: asUser });
    chmodSync(join(cwd, 'in', 'locked'), 0o700);
    assert.equal(code, 1);
    assert.match(stderr, /^in\/locked failed: .*permission denied.* \(cannot_read\)$/m);
    assert.equal(json.totals.failed, 1);
    assert.equal(json.files[0]?.path, 'in/locked');
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.svg']);
  });
});

describe('engines', () => {
  const names = { 'a.png': 'logo.png', 'b.jpg': 'landscape.jpg', 'c.bmp': 'letters.bmp' };

  test('both give the same SVG as the packages', { skip: isNativeMissing }, async () => {
    const cwd = folderOf(names);
    for (const engine of ['native', 'wasm']) {
      const { json, stderr } = await runJson(['.', '-o', engine, '--engine', engine], { cwd });
      assert.equal(json.engine, engine, stderr);
      assert.equal(json.totals.traced, 3);
    }
    const wasm = await import('tracesmith-wasm');
    const limits = readSettings({});
    for (const name of ['a.svg', 'b.svg', 'c.svg']) {
      const drawing = readFileSync(join(cwd, 'wasm', name), 'utf8');
      assert.equal(readFileSync(join(cwd, 'native', name), 'utf8'), drawing);
      if (name === 'c.svg') continue;
      const pixels = await decodeRaster(picture(name === 'a.svg' ? 'logo.png' : 'landscape.jpg'), limits);
      assert.equal(drawing, await wasm.trace(pixels));
    }
  });

  test('WebAssembly is used if the native engine is missing, unless --engine native is given', async () => {
    const cwd = folderOf(names);
    const hook = `export const resolve = (specifier, context, next) => {
      if (specifier === 'tracesmith-native') throw new Error('there is none');
      return next(specifier, context);
    };`;
    const preload = join(cwd, 'preload.mjs');
    const url = `data:text/javascript,${encodeURIComponent(hook)}`;
    writeFileSync(preload, `import { register } from 'node:module'; register(${JSON.stringify(url)});`);
    const inherited = process.env.NODE_OPTIONS ?? '';
    const env = { NODE_OPTIONS: `${inherited} --import=${pathToFileURL(preload).href}` };
    const { code, json } = await runJson(['a.png'], { cwd, env });
    assert.equal(code, 0);
    assert.equal(json.engine, 'wasm');
    const refused = await run(['a.png', '-f', '--engine', 'native'], { cwd, env });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /The native engine is not available: there is none/);
  });

  test('a failed thread is reported with its cause', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.png': 'logo.png' });
    const script = assemble();
    for (const [code, cause] of [
      ["throw new Error('no engine here')", / Cause: no engine here/],
      ['export default () => process.exit(9)', / Cause: .*exit/],
      [
        "export default ({ file }) => ({ code: 'out_of_memory', message: 'allocation failed', file })",
        /^There is not enough memory .* Cause: allocation failed$/,
      ],
    ] as const) {
      writeFileSync(join(dirname(script), 'tracing', 'worker.mjs'), code);
      const { code: exit, json } = await runJson(['.'], { cwd, script });
      assert.equal(exit, 1);
      for (const { error } of json.files) {
        assert.equal(error?.code, 'engine_failure');
        assert.match(error?.message ?? '', cause);
      }
    }
    assert.deepEqual(filesIn(cwd), ['a.png', 'b.png']);
  });

  test('--jobs sets the number of threads', async () => {
    const copies = Array.from({ length: MANY }, (_, index) => [`in/${index}.jpg`, 'landscape.jpg'] as const);
    const cwd = folderOf(Object.fromEntries(copies));
    for (const jobs of [1, 2]) {
      const args = ['in', '-o', `out${jobs}`, '-j', `${jobs}`, '--engine', 'wasm'];
      const { json } = await runJson(args, { cwd });
      assert.equal(json.totals.traced, MANY);
      assert.equal(json.jobs, jobs);
      assert.equal(new Set(json.files.map(({ thread }) => thread)).size, jobs);
    }
  });
});
