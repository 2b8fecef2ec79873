import { StepFailed } from '../lib/command.ts';

const DEALLOC = /\(func (\$"[^"]*\bGlobalAlloc>::dealloc[^"]*")/;

/**
 * Makes one function each of the two forms in which code drops a list, in the text of a module: it frees the memory of the list if its
 * capacity is not zero. They are repeated at hundreds of places, because the compiler inlines them before it knows that `dealloc` takes
 * but a pointer.
 */
export function withShortDrops(text: string): string {
  const dealloc = DEALLOC.exec(text)?.[1];
  if (dealloc === undefined)
    throw new StepFailed(
      'the name of the function that frees memory has changed: adapt scripts/wasm/short-drops.ts',
    );
  const { inMemory, inLocals } = drops(dealloc);
  const called = text
    .replace(inMemory, (drop, at: string | undefined, list: string, pointerAt: string) => {
      const offset = Number(at ?? 0);
      const place = offset === 0 ? list : `(i32.add ${list} (i32.const ${offset}))`;
      return Number(pointerAt) === offset + 4 ? `(call $drop_at ${place})` : drop;
    })
    .replace(inLocals, '(call $drop_of $2 $1)');
  return called.slice(0, called.lastIndexOf(')')).concat(
    `(func $drop_at (param $list i32)
      (if (i32.load (local.get $list)) (then (call ${dealloc} (i32.load offset=4 (local.get $list))))))
    (func $drop_of (param $pointer i32) (param $capacity i32)
      (if (local.get $capacity) (then (call ${dealloc} (local.get $pointer))))))`,
  );
}

/** Drops of a list whose capacity and pointer are next to each other in memory, and of one whose pointer is in a local variable. */
function drops(dealloc: string): { inMemory: RegExp; inLocals: RegExp } {
  const callee = dealloc.replace(/[$()[\]<>.*+?^|\\{}]/g, '\\$&');
  const local = String.raw`\(local\.get \S+\)`;
  const load = String.raw`\(i32\.load(?: offset=\d+)?\s+${local}\s*\)`;
  const drop = (capacity: string, pointer: string) =>
    new RegExp(String.raw`\(if\s+${capacity}\s+\(then\s+\(call ${callee}\s+${pointer}\s*\)\s*\)\s*\)`, 'g');
  return {
    inMemory: drop(
      String.raw`\(i32\.load(?: offset=(\d+))?\s+(${local})\s*\)`,
      String.raw`\(i32\.load offset=(\d+)\s+\2\s*\)`,
    ),
    inLocals: drop(`(${local}|${load})`, `(${local})`),
  };
}
