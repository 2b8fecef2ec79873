// Reads the float constants of the engine, with what their comments say of unit and source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/command.ts';
import { TREES, type Tree } from './layers.ts';
import { readTree } from './read-imports.ts';

export interface EngineConstant {
  /** Relative to engine/src, with forward slashes. */
  file: string;
  name: string;
  value: string;
  /** What the number is relative to, and where it comes from; undefined if the comment does not say. */
  unit: string | undefined;
  source: string | undefined;
}

const CONSTANT =
  /((?:^[ \t]*(?:\/\/\/|#\[).*\n)*)^[ \t]*(?:pub(?:\([a-z ]+\))? )?const ([A-Z][A-Z0-9_]*): f(?:32|64) =\s*([^;]+);/gm;

export function engineConstants(): EngineConstant[] {
  const tree = TREES.engine as Tree;
  const folder = join(root, tree.root);
  return [...readTree(folder, tree).keys()].flatMap((file) =>
    constantsIn(readFileSync(join(folder, file), 'utf8')).map((constant) => ({ file, ...constant })),
  );
}

/** The constants of a file, without those of its unit tests. */
export function constantsIn(text: string): Omit<EngineConstant, 'file'>[] {
  const code = text.replaceAll('\r', '').split(/#\[cfg\(test\)\]\s*mod /)[0] ?? '';
  return [...code.matchAll(CONSTANT)].map(([, comment = '', name = '', value = '']) => {
    const words = oneLine(comment.replaceAll(/^[ \t]*\/\/\/ ?/gm, ''));
    const [, unit, source] = /Unit: (.+?)\. Source: (.+?)\.?(?: #\[.*)?$/.exec(words) ?? [];
    return { name, value: oneLine(value), unit, source };
  });
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
