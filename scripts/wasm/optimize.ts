import { runNode } from '../lib/command.ts';

/** What tells people about a module, and machines nothing. */
export const STRIP = ['strip-producers', 'strip-target-features', 'strip-debug'];

/** Optimizes a linked module in place with Binaryen's wasm-opt. It keeps its names, or is stripped of all debug information. */
export function optimize(file: string, { names = false } = {}): void {
  // The features that .cargo/config.toml enables, and those that rustc enables by default.
  const features = ['simd', 'bulk-memory', 'bulk-memory-opt', 'sign-ext', 'nontrapping-float-to-int'].concat([
    'mutable-globals',
    'reference-types',
    'multivalue',
  ]);
  const passes = [
    // The first kilobyte of memory is the far end of the stack, so small offsets can move into loads and stores.
    '--low-memory-unused',
    // LLVM has inlined already. Further inlining makes functions so large that engines compile them to slower code.
    '--skip-pass=inlining-optimizing',
    // Rounds after the first make the module smaller, not faster.
    ...Array<string>(3).fill('-O3'),
    '-Oz',
    // Functions that are called most get the shortest numbers.
    '--reorder-functions',
    ...(names ? ['--debuginfo'] : STRIP.map((pass) => `--${pass}`)),
  ];
  const enabled = features.map((name) => `--enable-${name}`);
  runNode('binaryen/bin/wasm-opt', [...enabled, ...passes, file, '-o', file]);
}
