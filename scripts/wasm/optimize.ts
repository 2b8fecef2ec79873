// Makes the linked WebAssembly module small and fast with Binaryen.
import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';

/** Optimizes a module in place and strips its debug information. */
export function optimize(file: string): void {
  const { SIMD128, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt } = binaryen.Features;
  const { MutableGlobals, ReferenceTypes, Multivalue } = binaryen.Features;
  const module = binaryen.readBinary(readFileSync(file));
  // The features that .cargo/config.toml enables, and those that rustc enables by default.
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
  // LLVM has inlined already. Further inlining makes functions so large that engines compile them to slower code.
  binaryen.addPassToSkip('inlining-optimizing');
  // The first kilobyte of memory is the far end of the stack, so small offsets can move into loads and stores.
  binaryen.setLowMemoryUnused(true);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  // Later rounds make the compressed module smaller, not faster.
  for (let round = 0; round < 4; round += 1) module.optimize();
  // Similar functions next to each other compress better.
  module.runPasses(['reorder-functions-by-name', 'strip-producers', 'strip-target-features', 'strip-debug']);
  writeFileSync(file, module.emitBinary());
  module.dispose();
}
