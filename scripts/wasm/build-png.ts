// Builds the WebAssembly module that decodes small PNG files in the host's worker threads.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, run, say } from '../lib/command.ts';
import { committedPng, PNG_SOURCES, stampOf } from '../package/freshness.ts';
import { writeNotices } from '../package/notices.ts';
import { remapping } from '../package/remap-paths.ts';
import { type Rust, WASM_TARGET } from '../setup/rust-toolchain.ts';
import { optimize } from './optimize.ts';

/** Not the engine's flags: these make code fast, not small. Panics cannot be printed. */
const RUSTFLAGS = [
  '-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint',
  '-Zlocation-detail=none',
  '-Zfmt-debug=none',
];

/** Builds the module into `folder`, which it replaces. */
export function buildPng(rust: Rust, folder = committedPng): void {
  say('Building the PNG decoder for WebAssembly');
  const target = join(cache, 'png-target');
  const flags = [...remapping(rust, WASM_TARGET), ...RUSTFLAGS];
  const what = ['--release', '--locked', '--package', 'tracesmith-png', '--target', WASM_TARGET];
  run('cargo', ['build', ...what, '--target-dir', target], {
    // Flags in the environment replace those of .cargo/config.toml. RUSTC_BOOTSTRAP allows -Z flags for this build alone.
    env: { ...rust.env, RUSTC_BOOTSTRAP: '1', CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') },
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const module = join(folder, 'png.wasm');
  // Not copied: cargo's file is executable.
  writeFileSync(module, readFileSync(join(target, WASM_TARGET, 'release', 'tracesmith_png.wasm')));
  optimize(module);
  writeNotices(folder, 'png', WASM_TARGET, rust);
  const stamp = JSON.stringify(stampOf(folder, rust.version, PNG_SOURCES), undefined, 2);
  writeFileSync(join(folder, 'stamp.json'), `${stamp}\n`);
}
