// Reads which files of a source tree import which, for checks of the layers.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import type { Tree } from './layers.ts';

/** What a file imports: the imported files, and the names of the imports. Files of other trees begin with `../`. */
export type Imports = Map<string, Set<string>>;

/** The source files of a tree, each with its imports; paths are relative to its root. */
export function readTree(root: string, { language, ignored = [] }: Tree): Map<string, Imports> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const isIgnored = (name: string) =>
    /(^|\/)node_modules\//.test(name) || ignored.some((one) => name === one || name.startsWith(`${one}/`));
  const isSource = language === 'rust' ? /\.rs$/ : SCRIPT;
  const files = names.filter((name) => isSource.test(name) && !isIgnored(name)).sort();
  const sources = new Map(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  return language === 'rust' ? rustImports(sources) : typescriptImports(sources);
}

/** Files of TypeScript trees that take part in the checks. */
const SCRIPT = /(?<!\.d|\.test)\.(ts|mts|mjs)$|\.css$/;

function add(imports: Imports, file: string, name: string): void {
  imports.set(file, (imports.get(file) ?? new Set()).add(name));
}

// TypeScript

/** Static, side-effect and dynamic imports, JSDoc's and CSS's, and the files of workers. */
const PATH = /(?:\bfrom|\bimport|\bimport\(|@import|\bnew URL\()\s*(['"])(\.[^'"]+)\1/g;

function typescriptImports(sources: Map<string, string>): Map<string, Imports> {
  return new Map(
    Array.from(sources, ([file, source]) => {
      const imports: Imports = new Map();
      for (const [, , path = ''] of source.matchAll(PATH)) {
        const target = normalize(join(dirname(file), path));
        const isElsewhere = target.startsWith('../') && SCRIPT.test(target);
        if ((sources.has(target) && target !== file) || isElsewhere) add(imports, target, path);
      }
      return [file, imports];
    }),
  );
}

// Rust

type Path = readonly string[];

interface Use {
  isPublic: boolean;
  path: Path;
  /** The name that the path has in this module; it differs from the last one after `as`. */
  alias: string;
}

interface Module {
  file: string;
  uses: Use[];
  /** Paths outside `use`, such as `super::fit::Style`. */
  inline: Path[];
}

function rustImports(sources: Map<string, string>): Map<string, Imports> {
  const modules = new Map(
    Array.from(sources, ([file, source]) => [moduleOf(file), readModule(file, source)]),
  );
  const result = new Map(Array.from(sources, ([file]) => [file, new Map() as Imports]));
  for (const [name, { file, uses, inline }] of modules) {
    const paths = [...uses.filter(({ isPublic }) => !isPublic).map(({ path }) => path), ...inline];
    for (const path of paths) {
      const target = resolve(modules, name, path);
      if (target !== undefined && target !== file) add(result.get(file) as Imports, target, path.join('::'));
    }
  }
  return result;
}

/** The module path of a file; empty for the root. */
function moduleOf(file: string): string {
  return file
    .replace(/\.rs$/, '')
    .replace(/(^|\/)mod$/, '')
    .replace(/^(lib|main)$/, '')
    .replaceAll('/', '::');
}

const child = (module: string, name = '') => (module === '' ? name : `${module}::${name}`);
const parent = (module: string) => module.split('::').slice(0, -1).join('::');

/** The file that defines what a path names; re-exports are followed. Undefined for other crates. */
function resolve(modules: Map<string, Module>, from: string, path: Path, depth = 0): string | undefined {
  let [here, rest] = [from, [...path]];
  if (rest[0] === 'crate') [here, rest] = ['', rest.slice(1)];
  else if (rest[0] === 'super' || rest[0] === 'self') {
    for (; rest[0] === 'super' || rest[0] === 'self'; rest = rest.slice(1))
      if (rest[0] === 'super') here = parent(here);
  } else if (!modules.has(child(here, rest[0])) && exportOf(modules, here, rest[0]) === undefined)
    return undefined;
  for (; rest.length > 0 && modules.has(child(here, rest[0])); rest = rest.slice(1))
    here = child(here, rest[0]);
  const exported = exportOf(modules, here, rest[0]);
  if (exported !== undefined && depth < 8) {
    const found = resolve(modules, here, exported.path, depth + 1);
    if (found !== undefined) return found;
  }
  return modules.get(here)?.file;
}

function exportOf(modules: Map<string, Module>, module: string, name?: string): Use | undefined {
  return modules.get(module)?.uses.find(({ isPublic, alias }) => isPublic && alias === name);
}

const USE = /\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/g;

function readModule(file: string, source: string): Module {
  const code = withoutTests(withoutText(source));
  const uses = Array.from(code.matchAll(USE)).flatMap(([, visibility, tree = '']) =>
    expand(tree.replace(/\s+/g, ' ')).map(({ path, alias }) => ({
      isPublic: visibility !== undefined,
      path,
      alias,
    })),
  );
  const inline = code.replace(USE, '').matchAll(/\b[a-z_]\w*(?:::\w+)+/g);
  return { file, uses, inline: Array.from(inline, ([path]) => path.split('::')) };
}

/** The paths of a use tree: `a::{b, c as d}` gives `a::b` and `a::c`, known as `d`. */
function expand(tree: string, prefix: Path = []): { path: Path; alias: string }[] {
  const text = tree.trim();
  if (text.startsWith('{')) return splitAtCommas(text.slice(1, -1)).flatMap((part) => expand(part, prefix));
  const [, head, tail] = /^(\w+)\s*::\s*(.*)$/.exec(text) ?? [];
  if (head !== undefined && tail !== undefined) return expand(tail, [...prefix, head]);
  const [, name = '', alias] = /^(\w+|\*)(?:\s+as\s+(\w+))?$/.exec(text) ?? [];
  const path = name === 'self' ? prefix : [...prefix, name];
  return path.length === 0 || name === '' ? [] : [{ path, alias: alias ?? path.at(-1) ?? '' }];
}

function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    depth += Number(char === '{') - Number(char === '}');
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.filter((part) => part.trim() !== '');
}

/** The code without comments, strings and characters. */
function withoutText(source: string): string {
  return source.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^\n]{1,10}?|[^\\'\n])'/g,
    ' ',
  );
}

/** The code without items that only tests compile. */
function withoutTests(code: string): string {
  const start = code.search(/#\[cfg\((?:doc)?test\)\]/);
  if (start < 0) return code;
  let end = code.indexOf(']', start) + 1;
  for (let depth = 0; end < code.length; ) {
    const char = code[end] as string;
    depth += Number(char === '{') - Number(char === '}');
    end += 1;
    if (depth === 0 && '};'.includes(char)) break;
  }
  return code.slice(0, start) + withoutTests(code.slice(end));
}
