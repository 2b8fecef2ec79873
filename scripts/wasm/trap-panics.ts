import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';
import { StepFailed } from '../lib/command.ts';

/**
 * Functions of the standard library that end in a panic, by the ends of their names: with wasm-bindgen's form of the two ways in which
 * compilers write names.
 */
const PANIC =
  /^<?(?:core|alloc|std|__rustc)\b.*\b(?:panic(?:_\w+)?|\w+_fail(?:ed)?|handle_(?:alloc_)?error|capacity_overflow|rust_begin_unwind)(?:::h[0-9a-f]{16})?$/;

/**
 * Replaces calls of functions that panic by the trap in which each panic ends, since a module cannot print what it panics about. So no
 * arguments are prepared for them, which would be 3 % of the module.
 */
export function trapPanics(file: string): void {
  const module = binaryen.readBinary(readFileSync(file));
  const functions = Array.from({ length: module.getNumFunctions() }, (_, index) =>
    binaryen.getFunctionInfo(module.getFunctionByIndex(index)),
  );
  const panics = functions.filter(({ name, results }) => PANIC.test(name) && results === binaryen.none);
  if (!panics.some(({ name }) => name.includes('panic_fmt')))
    throw new StepFailed('the names of functions that panic have changed: adapt scripts/wasm/trap-panics.ts');
  for (const { name, params, results } of panics) {
    module.removeFunction(name);
    module.addFunction(name, params, results, [], module.unreachable());
  }
  // Nothing but functions that are no longer than a call of them: LLVM has inlined already.
  binaryen.setFlexibleInlineMaxSize(0);
  binaryen.setOneCallerInlineMaxSize(0);
  module.runPasses(['inlining']);
  // Later steps find functions by their names, too.
  binaryen.setDebugInfo(true);
  writeFileSync(file, module.emitBinary());
  module.dispose();
}
