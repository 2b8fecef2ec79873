// The project's own engine, as contenders.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/command.ts';
import { buildNative } from '../../native/build-addon.ts';
import { committedPackage } from '../../package/freshness.ts';
import { findRust } from '../../setup/rust-toolchain.ts';
import { ensureFreshPackage } from '../../wasm/build-if-stale.ts';
import type { Gap } from '../core/results.ts';
import type { Contender } from './contender.ts';

/** The folders of the packages of an engine. */
export interface Engine {
  wasm: string;
  native?: string;
}

const nativePackage = join(root, 'bindings', 'node');
const nativeEntry = (folder: string) => join(folder, 'dist', 'index.js');

/** The engine in this repository; builds what is older than its sources unless `asBuilt`. */
export async function ensureEngine(asBuilt: boolean | undefined, gaps: Gap[]): Promise<Engine> {
  const wasm = asBuilt ? builtPackage() : await ensureFreshPackage();
  const rust = findRust();
  if (rust !== undefined && !asBuilt) buildNative(rust);
  if (existsSync(join(nativePackage, 'loader.cjs'))) return { wasm, native: nativePackage };
  gaps.push({ what: 'tracesmith native', why: 'npm run build builds it, and needs Rust' });
  return { wasm };
}

/** The tests set TRACESMITH_WASM if the committed package is stale. */
function builtPackage(): string {
  const given = process.env.TRACESMITH_WASM ?? '';
  return given === '' ? committedPackage : dirname(fileURLToPath(given));
}

/** The forms of an engine as contenders; `tag` distinguishes a saved engine from the present one. */
export function contendersOf({ wasm, native }: Engine, tag?: string): Contender[] {
  const form = (id: string, name: string, about: string, place: string): Contender => ({
    id: tag === undefined ? `ours-${id}` : `ours-${id}@${tag}`,
    name: tag === undefined ? name : `${name} (${tag})`,
    about,
    isOurs: true,
    modes: ['color', 'binary'],
    adapter: 'tracesmith',
    place,
  });
  const module = 'this project’s WebAssembly package, in Node.js';
  const contenders = [form('wasm', 'tracesmith wasm', module, join(wasm, 'index.js'))];
  if (native === undefined) return contenders;
  const addon = 'this project’s Node.js addon, on one core like the peers';
  const threads = 'the same on all cores, which saves wall time';
  return [
    ...contenders,
    {
      ...form('native', 'tracesmith native', addon, nativeEntry(native)),
      env: { TRACESMITH_THREADS: '1' },
    },
    form('threads', 'tracesmith native, all cores', threads, nativeEntry(native)),
  ];
}
