import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../../host/config/presets.ts';
import { emptyFolder, filesIn, folderOf, run, runJson } from './command.ts';

describe('the command line', () => {
  test('usage errors have exit code 2 and a message, and write nothing', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const cases: [args: string[], words: RegExp][] = [
      [[], /No input\. Pass an image, a folder, or - for stdin/],
      [['--mode', 'splines'], /--mode must be one of "spline", "polygon", "none", not the text "splines"/],
      [['--color-precision', '9'], /--color-precision must be a number from 1 to 8, not 9/],
      [['--colorPrecision', '0'], /--color-precision must be a number from 1 to 8, not 0/],
      [['--filter-speckle', '4px'], /--filter-speckle must be a number from 0 to 128, not the text "4px"/],
      [['--filter-speckle', ''], /--filter-speckle must be a number/],
      [['--filter-speckle=-1'], /--filter-speckle must be a number from 0 to 128, not -1/],
      [['--filter-speckle', 'Infinity'], /--filter-speckle must be/],
      [['--filter-speckle', '1', '--filterSpeckle', '1'], /are the same option/],
      [['--filter-speckle'], /^--filter-speckle needs a value\.\n/],
      [['--filter-speckle', '--force'], /^--filter-speckle needs a value\. .* write --filter-speckle=-…\.\n/],
      [['-o', '-1'], /^-o needs a value\. .* write --output=-…\.\n/],
      [['--colour', 'x'], /^Unknown option --colour\.\n/],
      [['--filter-spekle', '3'], /^Unknown option --filter-spekle\. Did you mean --filter-speckle\?\n/],
      [['--filter-spekle=3'], /^Unknown option --filter-spekle\. Did you mean --filter-speckle\?\n/],
      [['--ColorMode', 'binary'], /^Unknown option --ColorMode\. Did you mean --color-?[mM]ode\?\n/],
      [['--no-gradient'], /Did you mean --no-gradients\?\n/],
      [['-filter-speckle', '3'], /^Unknown option -i in -filter-speckle\. Did you mean --filter-speckle\?\n/],
      [['-x'], /^Unknown option -x\. Put a file name that starts with a dash after --\.\n/],
      [['--__proto__', '1'], /^Unknown option --__proto__\.\n/],
      [[`--${'filter-speckle'.repeat(9_000)}`], /^Unknown option --filter/],
      [['--preset', 'photos'], /--preset must be one of standard, .*, not "photos"/],
      [['--engine', 'gpu'], /--engine must be one of auto, native, wasm/],
      [['--jobs', '0'], /--jobs must be a whole number from 1 to 256, not "0"/],
      [['-j', '2.5'], /--jobs must be/],
      [['--no-gradients', '--gradients'], /--gradients and --no-gradients cannot be combined/],
      [['--force', '--skip-existing'], /cannot be combined/],
      [['--jobs', '-1'], /--jobs must be a whole number from 1 to 256, not "-1"/],
      [['--json=yes'], /^--json takes no value\.\n/],
      [['--gradients=false'], /^--gradients takes no value\. --no-gradients switches it off\.\n/],
      [['--no-gradients=true'], /^--no-gradients takes no value\.\n/],
      [['--filter-speckle', '-1'], /^--filter-speckle must be a number from 0 to 128, not -1\.\n/],
      [['--filterSpeckle', '-.5'], /^--filter-speckle must be a number from 0 to 128, not -0\.5\.\n/],
    ];
    for (const [args, words] of cases) {
      const { code, stdout, stderr } = await run(args.length === 0 ? [] : ['a.png', ...args], { cwd });
      assert.equal(code, 2, `${args}: ${stderr}`);
      assert.match(stderr, words);
      assert.match(stderr, /\nTry tracesmith --help\.\n$/);
      assert.equal(stdout, '');
    }
    assert.deepEqual(filesIn(cwd), ['a.png']);
  });

  test('an invalid limit is an error; settings of the service are ignored', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const wrong = await run(['a.png'], { cwd, env: { TRACESMITH_MAX_PIXELS: 'many' } });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /TRACESMITH_MAX_PIXELS must be a whole number/);
    const other = await run(['a.png'], { cwd, env: { PORT: 'none', TRACESMITH_LOG_LEVEL: 'loud' } });
    assert.equal(other.code, 0, other.stderr);
  });

  test('an invalid number of threads is an error with every engine', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    for (const threads of ['abc', '0', '-1', '1.5', '4294967296']) {
      for (const engine of ['auto', 'wasm']) {
        const env = { TRACESMITH_THREADS: threads };
        const { code, stderr } = await run(['a.png', '--engine', engine], { cwd, env });
        assert.equal(code, 2, stderr);
        const message = `TRACESMITH_THREADS must be a whole number from 1 to 4294967295, not "${threads}"`;
        assert.equal(stderr, `${message}\nTry tracesmith --help.\n`);
      }
    }
    assert.deepEqual(filesIn(cwd), ['a.png']);
    for (const threads of ['', '1', '4294967295']) {
      const { code, stderr } = await run(['a.png', '-o', '-'], { cwd, env: { TRACESMITH_THREADS: threads } });
      assert.equal(code, 0, stderr);
    }
  });

  test('of an option that is given more than once, the last one counts', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const twice = ['--mode', 'none', '-o', 'b.svg', '--mode', 'polygon', '--output', 'c.svg'];
    const { json } = await runJson(['a.png', ...twice], { cwd });
    assert.deepEqual(json.options, { mode: 'polygon' });
    assert.deepEqual(filesIn(cwd), ['a.png', 'c.svg']);
  });

  test('--no-gradients switches off what a preset switches on', async () => {
    const cwd = folderOf({ 'a.png': 'logo.png' });
    const optionsOf = async (...args: string[]) =>
      (await runJson(['a.png', '--force', ...args], { cwd })).json.options;
    assert.deepEqual(await optionsOf('--preset', 'shaded'), { gradients: true });
    assert.deepEqual(await optionsOf('--preset', 'shaded', '--no-gradients'), { gradients: false });
    assert.deepEqual(await optionsOf('--no-gradients'), { gradients: false });
  });

  test('without images, a message says so', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'in'));
    writeFileSync(join(cwd, 'in', 'notes.txt'), '');
    for (const input of ['in', '.', 'in/*.png']) {
      const { code, stderr, json } = await runJson([input], { cwd });
      assert.equal(code, 1);
      assert.match(stderr, /No images found in the given paths/);
      assert.deepEqual(json.files, []);
    }
    const nowhere = await runJson(['nowhere/*.png'], { cwd });
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /nowhere failed: .*no such file/);
  });

  test('--help lists all flags, options, ranges, defaults and presets', async () => {
    const { code, stdout, stderr } = await run(['--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const row of optionTable) {
      const flag = row.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const values =
        row.type === 'choice'
          ? row.choices.join('|')
          : row.type === 'number' && `${row.min} to ${row.max} ${row.unit}`;
      const value = values ? ` <${values}> default ${row.default}` : '';
      assert.ok(help.includes(`--${flag}${value} ${row.meaning}`), row.name);
    }
    assert.match(help, /-j, --jobs <number> [^.]*: a whole number from 1 to 256\. By default/);
    for (const [variable, range] of [
      ['WORKERS', '1 to 256'],
      ['THREADS', '1 to 4294967295'],
    ])
      assert.match(
        help,
        new RegExp(
          `TRACESMITH_${variable} default CPUs available [^.]*\\. Must be a whole number from ${range}\\.`,
        ),
      );
    assert.ok(help.includes('--no-gradients Override a preset with --gradients.'));
    for (const { name, description } of PRESETS) assert.ok(help.includes(`${name} ${description}`), name);
    assert.ok(stdout.split('\n').every((line) => line.length <= 96));
  });

  test('--version is that of the engine', async () => {
    const { version, init } = await import('tracesmith-wasm');
    await init();
    assert.equal((await run(['--version'])).stdout, `tracesmith ${version()}\n`);
  });
});
