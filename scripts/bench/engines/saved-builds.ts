// Engines kept under a name. A comparison runs both engines in turns, because figures from another day depend on the machine's
// state on that day.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepFailed } from '../../lib/command.ts';
import { savedFolder } from '../core/paths.ts';
import type { Results } from '../core/results.ts';
import { type Engine, nativeParts } from './list.ts';

const WASM = 'wasm';
const NATIVE = 'native';

export function save(name: string, { wasm, native }: Engine, results: Results): void {
  const folder = savedFolder(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(wasm, join(folder, WASM), { recursive: true });
  if (native !== undefined) {
    mkdirSync(join(folder, NATIVE));
    for (const part of nativeParts(native)) {
      cpSync(join(native, part), join(folder, NATIVE, part), { recursive: true });
    }
  }
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}

export function load(name: string): Engine {
  const folder = savedFolder(name);
  if (!existsSync(folder)) {
    const parent = dirname(folder);
    const others = existsSync(parent) ? readdirSync(parent).join(', ') : 'none';
    throw new StepFailed(`nothing is saved as "${name}"; there are: ${others}`);
  }
  const engine: Engine = { wasm: join(folder, WASM) };
  if (existsSync(join(folder, NATIVE))) engine.native = join(folder, NATIVE);
  return engine;
}
