import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { picture } from '../http/service.ts';
import { filesIn, folderOf, put, run, runJson } from './command.ts';

const OLD = 'an old drawing';
const isPosix = process.platform !== 'win32';

describe('outputs', () => {
  test('-o accepts a file, an existing or new folder, and stdout', async () => {
    const cases: [output: string, drawing: string][] = [
      ['drawing.svg', 'drawing.svg'],
      ['deep/er/drawing.SVG', 'deep/er/drawing.SVG'],
      ['there', 'there/logo.svg'],
      ['new/', 'new/logo.svg'],
      ['new/er/', 'new/er/logo.svg'],
    ];
    const cwd = folderOf({ 'in/logo.png': 'logo.png' });
    mkdirSync(join(cwd, 'there'));
    for (const [output, drawing] of cases) {
      const { code, stderr } = await run(['in/logo.png', '-o', output], { cwd });
      assert.equal(code, 0, stderr);
      assert.ok(filesIn(cwd).includes(drawing), `${output}: ${filesIn(cwd)}`);
    }
    assert.equal(filesIn(cwd).length, cases.length + 1);
  });

  test('a pattern with .. does not write outside the output folder', async () => {
    const cwd = folderOf({ 'in/x/a.png': 'logo.png', 'b.png': 'logo.png' });
    const { code, stderr } = await run(['in/*/../../*.png', '-o', 'out'], { cwd });
    assert.equal(code, 0, stderr);
    assert.deepEqual(filesIn(cwd), ['b.png', 'in/x/a.png', 'out/b.svg']);
  });

  test('invalid outputs are rejected before any work', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.png': 'logo.png', 'c/d.png': 'logo.png' });
    const cases: [args: string[], words: RegExp][] = [
      [['a.png', '-o', 'drawings'], /-o drawings is neither an SVG nor a folder: end it with \.svg or \//],
      [['a.png', '-o', 'b.png'], /-o b\.png is neither an SVG nor a folder/],
      [['a.png', 'b.png', '-o', 'one.svg'], /is a single file, but there are several inputs/],
      [['c', '-o', 'one.svg'], /is a single file, but there are several inputs/],
      [['a.png', 'b.png', '-o', '-'], /is a single file, but there are several inputs/],
      [['a.png', 'c', '-o', 'b.png'], /is a single file, but there are several inputs/],
      [['a.png', 'drawing.svg'], /To name the output, pass -o drawing\.svg/],
      [['-', 'a.png'], /stdin \(-\) cannot be combined/],
      [['a.png', '-o', ''], /--output must not be empty/],
      [['a.png', ''], /An input path is empty/],
      [['a.png', '-o', '-', '--json'], /cannot both go to stdout/],
    ];
    for (const [args, words] of cases) {
      const { code, stdout, stderr } = await run(args, { cwd });
      assert.equal(code, 2, `${args}: ${stderr}`);
      assert.match(stderr, words);
      assert.equal(stdout, '');
    }
    assert.deepEqual(filesIn(cwd), ['a.png', 'b.png', 'c/d.png']);
  });

  test('two images with the same output are rejected before any work', async () => {
    const cwd = folderOf({
      'in/a.png': 'logo.png',
      'in/a.jpg': 'landscape.jpg',
      'in/b.png': 'logo.png',
      'x/b.png': 'logo.png',
    });
    const cases: [args: string[], names: RegExp][] = [
      [['in'], /in\/a\.jpg and in\/a\.png have the same output, in\/a\.svg/],
      [['in/b.png', 'x', '-o', 'out'], /in\/b\.png and x\/b\.png have the same output, out\/b\.svg/],
    ];
    for (const [args, names] of cases) {
      const { code, stderr } = await run(args, { cwd });
      assert.equal(code, 2);
      assert.match(stderr, names);
      assert.match(stderr, /--keep-extension/);
    }
    if (isPosix) {
      symlinkSync('in', join(cwd, 'link'));
      const { stderr } = await run(['in/a.png', 'link/a.jpg'], { cwd });
      assert.match(stderr, /in\/a\.png and link\/a\.jpg have the same output/);
    }
    assert.equal(filesIn(cwd).length, 4);
    const { code } = await run(['in', '--keep-extension', '-o', 'out'], { cwd });
    assert.equal(code, 0);
    assert.deepEqual(filesIn(join(cwd, 'out')), ['a.jpg.svg', 'a.png.svg', 'b.png.svg']);
  });

  test('an image given twice is traced once', async () => {
    const cwd = folderOf({ 'in/a.png': 'logo.png', 'in/b.png': 'logo.png' });
    const { code, json } = await runJson(['in/a.png', './in', 'in/*.png'], { cwd });
    assert.equal(code, 0);
    assert.deepEqual(
      json.files.map(({ path }) => path),
      ['in/a.png', 'in/b.png'],
    );
  });
});

describe('existing files', () => {
  test('are overwritten only with -o or --force', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png', 'b.png': 'badge.webp' });
    const drawing = () => readFileSync(join(cwd, 'a.svg'), 'utf8');
    writeFileSync(join(cwd, 'a.svg'), OLD);
    const refused = await runJson(['a.png', 'b.png'], { cwd });
    assert.equal(refused.code, 1);
    assert.equal(refused.json.files[0]?.error?.code, 'output_exists');
    assert.match(refused.stderr, /a\.svg already exists\. Pass --force to overwrite it\./);
    assert.equal(drawing(), OLD);
    assert.ok(filesIn(cwd).includes('b.svg'));

    const kept = await runJson(['a.png', 'b.png', '--skip-existing'], { cwd });
    assert.equal(kept.code, 0);
    assert.equal(kept.json.totals.kept, 2);
    assert.equal(drawing(), OLD);

    for (const args of [['--force'], ['-o', 'a.svg']]) {
      writeFileSync(join(cwd, 'a.svg'), OLD);
      assert.equal((await run(['a.png', ...args], { cwd })).code, 0);
      assert.match(drawing(), /^<svg /);
    }
  });

  test('a broken link is kept, too', { skip: !isPosix }, async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    symlinkSync('nowhere.svg', join(cwd, 'a.svg'));
    const { json } = await runJson(['a.png'], { cwd });
    assert.equal(json.files[0]?.error?.code, 'output_exists');
    assert.equal(readlinkSync(join(cwd, 'a.svg')), 'nowhere.svg');
  });

  test('input images are never overwritten', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    writeFileSync(join(cwd, 'b.svg'), picture('logo.png'));
    if (isPosix) {
      symlinkSync('a.png', join(cwd, 'link.svg'));
      linkSync(join(cwd, 'a.png'), join(cwd, 'hard.svg'));
    }
    for (const output of isPosix ? ['link.svg', 'hard.svg'] : []) {
      const { code, stderr } = await run(['a.png', '-o', output, '--force'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /would overwrite the input image a\.png/);
    }
    assert.ok(readFileSync(join(cwd, 'a.png')).equals(picture('logo.png')));
    // An existing .svg is not an input, whatever it contains.
    const { code, stderr } = await run(['b.svg', 'a.png'], { cwd });
    assert.equal(code, 0, stderr);
    assert.ok(readFileSync(join(cwd, 'b.svg')).equals(picture('logo.png')));
  });

  test('links are followed; devices and pipes are written directly', { skip: !isPosix }, async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    writeFileSync(join(cwd, 'real.svg'), OLD);
    symlinkSync('real.svg', join(cwd, 'link.svg'));
    assert.equal((await run(['a.png', '-o', 'link.svg'], { cwd })).code, 0);
    assert.match(readFileSync(join(cwd, 'real.svg'), 'utf8'), /^<svg /);
    symlinkSync('/dev/null', join(cwd, 'null.svg'));
    assert.equal((await run(['a.png', '-o', 'null.svg'], { cwd })).code, 0);
    assert.ok(statSync(join(cwd, 'null.svg')).isCharacterDevice());
    const shell =
      'mkfifo pipe; cat pipe > read.svg & "$@" a.png -o pipe; code=$?; wait; test -p pipe && exit $code';
    const { code, stderr } = await run([], { cwd, through: ['sh', '-c', shell, 'sh'] });
    assert.equal(code, 0, stderr);
    assert.match(readFileSync(join(cwd, 'read.svg'), 'utf8'), /^<svg .*<\/svg>$/s);
  });
});

describe('unusual names', () => {
  test('a leading dash, and control characters', async () => {
    const cwd = folderOf({ '-x.png': 'logo.png' });
    for (const args of [
      ['./-x.png', '-o', 'a.svg'],
      ['-o', 'b.svg', '--', '-x.png'],
    ]) {
      assert.equal((await run(args, { cwd })).code, 0);
    }
    assert.equal((await run(['-x.png'], { cwd })).code, 2);
    if (!isPosix) return;
    put(cwd, 'a\u001b[2J\n\u202e.png', 'logo.png');
    const { code, stderr } = await run(['a*.png'], { cwd });
    assert.equal(code, 0);
    const refused = await run(['a\u001b.png', 'b\u001b.svg'], { cwd });
    assert.match(refused.stderr, /-o b\\u\{1b\}\.svg\n/);
    assert.match(stderr, /^a\\u\{1b\}\[2J\\u\{a\}\\u\{202e\}\.png → a[^\n]*\n$/);
  });

  test('the longest name that the file system allows', async () => {
    const longest = `${'n'.repeat(251)}.png`;
    const cwd = folderOf({ [longest]: 'logo.png' });
    const { code, stderr } = await run([longest], { cwd });
    assert.equal(code, 0, stderr);
    assert.equal(filesIn(cwd).length, 2);
  });

  test('cyclic links end, and links to images are traced', { skip: !isPosix }, async () => {
    const cwd = folderOf({ 'in/a/x.png': 'logo.png', 'in/b/y.png': 'logo.png', 'z.png': 'logo.png' });
    symlinkSync('..', join(cwd, 'in', 'a', 'up'));
    symlinkSync('../a', join(cwd, 'in', 'b', 'over'));
    symlinkSync('../../z.png', join(cwd, 'in', 'b', 'z.png'));
    symlinkSync('self.png', join(cwd, 'in', 'self.png'));
    const { code, json } = await runJson(['in', '-o', 'out'], { cwd });
    assert.equal(code, 1);
    const told = json.files.map(({ path, status }) => `${status} ${path}`);
    const expected = ['traced in/a/x.png', 'traced in/b/y.png', 'traced in/b/z.png', 'failed in/self.png'];
    assert.deepEqual(told, expected);
  });

  test('if the output folder cannot be created, each image fails', { skip: !isPosix }, async () => {
    const cwd = folderOf({ 'in/a.png': 'logo.png', 'in/b.png': 'logo.png' });
    writeFileSync(join(cwd, 'file'), '');
    const { code, json } = await runJson(['in', '-o', 'file/out'], { cwd });
    assert.equal(code, 1);
    assert.deepEqual(
      json.files.map(({ error }) => error?.code),
      ['cannot_write', 'cannot_write'],
    );
    execFileSync('mkfifo', [join(cwd, 'in', 'pipe.png')]);
    // Nobody writes to it.
    const { json: second } = await runJson(['in', '-o', 'out'], { cwd });
    assert.equal(second.totals.traced, 2);
  });
});
