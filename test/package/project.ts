import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { users } from '../../scripts/release/package-users.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const tool = (path: string) => join(users, 'node_modules', path);

/** An environment in which the tools are on PATH. */
export const withTools = () => ({ PATH: [tool('.bin'), process.env.PATH].join(delimiter) });

/** Files of docs/embedding.md, by their path: fences that name one. */
const fences = readFileSync(join(ROOT, 'docs', 'embedding.md'), 'utf8').matchAll(
  /^```\w+ (\S+\/\S+)\n(.*?)^```$/gms,
);
const files = Array.from(fences, ([, path = '', text = '']) => ({ path, text }));

/** An empty project with the files that the page gives for it, and the package. */
export function project(name: string): string {
  const folder = join(users, name);
  rmSync(folder, { recursive: true, force: true });
  const own = files.filter(({ path }) => path.startsWith(`${name}/`));
  if (own.length === 0) throw new Error(`docs/embedding.md has no files for ${name}`);
  for (const { path, text } of own) {
    mkdirSync(dirname(join(users, path)), { recursive: true });
    writeFileSync(join(users, path), text);
  }
  symlinkSync(join(users, 'node_modules'), join(folder, 'node_modules'), 'junction');
  cpSync(join(ROOT, 'docs', 'images', 'logo.png'), join(folder, 'logo.png'));
  return folder;
}
