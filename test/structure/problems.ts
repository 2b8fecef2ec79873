import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { MAX_FILES, MAX_LINES, type Tree } from './layers.ts';
import { type Imports, readTree } from './read-imports.ts';

/** What breaks the rules of a tree: imports of later layers and of other trees, circular imports, large folders, long files. */
export function problemsOf(folder: string, tree: Tree): string[] {
  const imports = readTree(folder, tree);
  const files = [...imports.keys()];
  return [
    ...files.flatMap((file) => laterImports(file, imports.get(file) as Imports, tree)),
    ...files.flatMap((file) => strayImports(file, imports.get(file) as Imports, tree)),
    ...circles(imports).map((circle) => `circular imports: ${circle.sort().join(', ')}`),
    ...largeFolders(files),
    ...files.flatMap((file) => longFile(folder, file)),
  ];
}

function laterImports(file: string, imports: Imports, { order }: Tree): string[] {
  const rank = (path: string) => order.indexOf(layerOf(path, order) ?? '');
  const own = rank(file);
  if (own < 0) return [`${file} is in no layer`];
  return Array.from(imports).flatMap(([target, names]) =>
    rank(target) > own ? [`${file} imports ${[...names].join(', ')} from ${target}, a later layer`] : [],
  );
}

function strayImports(file: string, imports: Imports, { root, others = [] }: Tree): string[] {
  const elsewhere = Array.from(imports.keys())
    .filter((target) => target.startsWith('../'))
    .map((target) => normalize(join(root, target)));
  return elsewhere
    .filter((target) => !others.some((other) => target.startsWith(`${other}/`)))
    .map((target) => `${file} imports ${target}, of another tree`);
}

/** The closest listed folder; '.' holds only the files at the root. */
function layerOf(file: string, order: readonly string[]): string | undefined {
  let folder = dirname(file);
  if (folder === '.') return order.includes('.') ? '.' : undefined;
  for (; folder !== '.'; folder = dirname(folder)) if (order.includes(folder)) return folder;
  return undefined;
}

/** Strongly connected components of more than one file (R. Tarjan, 1972). */
export function circles(imports: Map<string, Imports>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    index.set(file, index.size);
    let lowest = index.get(file) as number;
    stack.push(file);
    for (const target of imports.get(file)?.keys() ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, index.get(target) as number);
    }
    if (lowest === index.get(file)) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) found.push(circle);
    }
    return lowest;
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

function largeFolders(files: string[]): string[] {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return Array.from(sizes).flatMap(([folder, size]) =>
    size > MAX_FILES ? [`${folder} has ${size} files; ${MAX_FILES} are allowed`] : [],
  );
}

function longFile(folder: string, file: string): string[] {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length;
  return lines > MAX_LINES ? [`${file} has ${lines} lines; ${MAX_LINES} are allowed`] : [];
}
