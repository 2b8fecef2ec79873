import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';
import { STRIP } from './optimize.ts';
import { withShortConstants } from './short-constants.ts';
import { withShortDrops } from './short-drops.ts';

/** Shortens an optimized module in place where optimizers do not, as its code stays as fast, and strips its debug information. */
export function shorten(file: string): void {
  const optimized = binaryen.readBinary(readFileSync(file));
  const module = binaryen.parseText(withShortConstants(withShortDrops(optimized.emitText())));
  module.setFeatures(optimized.getFeatures());
  module.runPasses(STRIP);
  // No further passes: they would undo it. But those over the code that is written take back what text cannot hold.
  binaryen.setGenerateStackIR(true);
  binaryen.setOptimizeStackIR(true);
  binaryen.setDebugInfo(false);
  writeFileSync(file, module.emitBinary());
  module.dispose();
  optimized.dispose();
}
