// Makes the linked module small and fast, by Binaryen.
import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';
import { StepFailed } from './command.ts';
import { forgetPanicPlaces } from './panic-places.ts';

/** What is never called, or only to make words that nothing in a module can print. */
const MUTE = [
  // Where the standard library goes when a check fails: functions that never return.
  /^(core|alloc)(\[\w+\])?::(panicking::|option::(unwrap|expect)_failed|result::unwrap_failed|slice::index::slice_\w*fail)/,
  /^alloc(\[\w+\])?::(raw_vec::(capacity_overflow|handle_error)|alloc::handle_alloc_error)/,
  // Values in a panic's message: nothing else here is written with `{:?}`.
  /^<.* as core(\[\w+\])?::fmt::Debug>::fmt/,
  // What the BMP decoder says in detail: callers are told the kind of error.
  /^<image::.* as core(\[\w+\])?::fmt::Display>::fmt/,
];

/** Optimizes a module in place. It must still have its functions' names; they do not stay. */
export function optimize(file: string): void {
  const { SIMD128, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt } = binaryen.Features;
  const { MutableGlobals, ReferenceTypes, Multivalue } = binaryen.Features;
  const linked = readFileSync(file);
  forgetPanicPlaces(linked);
  const module = binaryen.readBinary(linked);
  // Those of .cargo/config.toml and of the compiler's own.
  module.setFeatures(
    SIMD128 |
      BulkMemory |
      BulkMemoryOpt |
      SignExt |
      NontrappingFPToInt |
      MutableGlobals |
      ReferenceTypes |
      Multivalue,
  );
  mute(module);
  // Speed first; then what costs no speed. What pays to be inlined LLVM has inlined: what Binaryen puts into one large function
  // besides, engines compile to slower code. Nothing lies in the first kilobyte of memory but the far end of the stack, so small
  // offsets may go into loads and stores. Later rounds make the packed module smaller, not faster.
  binaryen.addPassToSkip('inlining-optimizing');
  binaryen.setLowMemoryUnused(true);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  for (let round = 0; round < 4; round += 1) module.optimize();
  // What is beside what it resembles is packed into less.
  module.runPasses(['reorder-functions-by-name', 'strip-producers', 'strip-target-features', 'strip-debug']);
  writeFileSync(file, module.emitBinary());
  module.dispose();
}

/** Lets them trap at once: 4 % of the module. */
function mute(module: binaryen.Module): void {
  const functions = Array.from({ length: module.getNumFunctions() }, (_, index) =>
    binaryen.getFunctionInfo(module.getFunctionByIndex(index)),
  );
  const muted = functions.filter(({ name }) => MUTE.some((kind) => kind.test(name)));
  if (!muted.some(({ name }) => name.endsWith('panicking::panic_fmt')))
    throw new StepFailed('the compiler names panics otherwise than scripts/optimize.ts expects');
  for (const { name, params, results } of muted) {
    module.removeFunction(name);
    module.addFunction(name, params, results, [], module.unreachable());
  }
}
