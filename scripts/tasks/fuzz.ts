// Fuzzes the engine: `npm run fuzz -- [seconds]`. Inputs that reach new code are kept in .cache/fuzz and continue the next run. A failing
// input is kept beside them, and its name is printed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { optionTable } from '../../bindings/surface/shared/options.ts';
import { cache, main, output, root, run, StepFailed, say } from '../lib/command.ts';
import { findRust, oldestRust, type Rust } from '../setup/rust-toolchain.ts';

const DEFAULT_SECONDS = 300;
const INPUT_SECONDS = 30;
const PICTURES = join(root, 'test', 'pictures');

const TARGET = 'trace';
const MAX_BYTES = 16_384;

/** A byte or more for each choice that engine/tests/fuzz/case.rs makes: default options, the size, any colors. */
async function traceSeed(picture: string, side: number): Promise<Uint8Array> {
  const picks = sharp(join(PICTURES, picture)).resize(side, side, { fit: 'fill' }).ensureAlpha();
  const noOption = optionTable.map(() => 0);
  const long = [0, 0];
  const bothSides = [7, side - 1, side - 1];
  const palette = [0, 0, 0, 0, 0, 1];
  const anyColors = 0;
  const geometry = [0, 0, 0, 0, 0];
  return Uint8Array.of(
    ...noOption,
    ...long,
    ...bothSides,
    ...palette,
    anyColors,
    ...geometry,
    ...(await picks.raw().toBuffer()),
  );
}

async function writeSeeds(folder: string): Promise<void> {
  for (const picture of ['badge.webp', 'landscape.jpg', 'letters.gif', 'logo.png'])
    writeFileSync(join(folder, picture), await traceSeed(picture, 32));
}

function fuzz(corpus: string, seconds: number, { env }: Rust): void {
  say(`${TARGET}: ${seconds} s`);
  const limits = [`-max_total_time=${seconds}`, `-max_len=${MAX_BYTES}`, `-timeout=${INPUT_SECONDS}`];
  // Without a sanitizer, a stable compiler will do; the engine has no unsafe code of its own.
  const build = ['--fuzz-dir', join('engine', 'fuzz'), '--sanitizer', 'none', '--debug-assertions'];
  const failures = `-artifact_prefix=${join(cache, 'fuzz', `${TARGET}-failure-`)}`;
  run('cargo', ['fuzz', 'run', ...build, TARGET, corpus, '--', ...limits, failures], {
    env: { ...env, CARGO_TARGET_DIR: join(cache, 'fuzz', 'build') },
  });
}

main(async () => {
  const seconds = Number(process.argv[2] ?? DEFAULT_SECONDS);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new StepFailed('npm run fuzz -- SECONDS: a whole number of seconds');
  const rust = findRust();
  if (rust === undefined)
    throw new StepFailed(`Rust ${oldestRust()} or later is missing: install it from https://rustup.rs`);
  if (output('cargo', ['fuzz', '--version'], { env: rust.env }) === undefined)
    throw new StepFailed('cargo-fuzz is missing: cargo install cargo-fuzz --locked');
  const corpus = join(cache, 'fuzz', TARGET);
  mkdirSync(corpus, { recursive: true });
  await writeSeeds(corpus);
  fuzz(corpus, seconds, rust);
});
