// Engines kept under a name. A comparison runs both engines in turns, because figures from another day depend on the machine's
// state on that day.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepFailed } from '../../lib/command.ts';
import { savedFolder } from '../core/paths.ts';
import type { Results } from '../core/results.ts';
import type { Engine } from './list.ts';

export function save(name: string, engine: Engine, results: Results): void {
  const folder = savedFolder(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [form, source] of Object.entries(engine))
    cpSync(source, join(folder, form), { recursive: true });
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}

export function load(name: string): Engine {
  const folder = savedFolder(name);
  if (!existsSync(folder)) {
    const parent = dirname(folder);
    const others = existsSync(parent) ? readdirSync(parent).join(', ') : 'none';
    throw new StepFailed(`nothing is saved as "${name}"; there are: ${others}`);
  }
  const [wasm, native] = [join(folder, 'wasm'), join(folder, 'native')];
  return existsSync(native) ? { wasm, native } : { wasm };
}
