// Our own engine, as it is now.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/command.ts';
import { buildNative } from '../../native/build-addon.ts';
import { committedPackage, staleness } from '../../package/freshness.ts';
import { findRust } from '../../setup/rust-toolchain.ts';
import { ensureFreshPackage } from '../../wasm/build-if-stale.ts';
import type { Gap } from '../core/results.ts';
import { type Contender, inNode } from './contender.ts';

/** Where the two forms of an engine are. */
export interface Engine {
  /** The folder of the WebAssembly package. */
  wasm: string;
  /** The folder of the native package; undefined where there is none. */
  native?: string;
}

const nativePackage = join(root, 'bindings', 'node');

/** Builds what is older than its sources, unless the engine is to be taken as it was built. */
export function ensureEngine(asBuilt: boolean): { engine: Engine; gaps: Gap[] } {
  const engine: Engine = { wasm: asBuilt ? builtPackage() : freshPackage() };
  const rust = findRust();
  if (rust !== undefined && !asBuilt) buildNative(rust);
  if (hasNative(nativePackage)) {
    return { engine: { ...engine, native: nativePackage }, gaps: [] };
  }
  const why = 'it is built from source, by npm run build, and that needs a Rust compiler';
  return { engine, gaps: [{ what: NAMES.native, why }] };
}

const freshPackage = () =>
  staleness(committedPackage) === undefined ? committedPackage : ensureFreshPackage();

/** The tests name the package that they have built where the committed one is stale. */
function builtPackage(): string {
  const given = process.env.TRACESMITH_WASM ?? '';
  return given === '' ? committedPackage : dirname(fileURLToPath(given));
}

/** What of a native package's folder is needed to run it. */
export function nativeParts(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(node|cjs)$|^dist$|^package\.json$/.test(name));
}

export function hasNative(folder: string): boolean {
  return existsSync(nativeEntry(folder)) && nativeParts(folder).some((name) => name.endsWith('.node'));
}

const nativeEntry = (folder: string) => join(folder, 'dist', 'index.js');

const NAMES = {
  wasm: 'tracesmith wasm',
  native: 'tracesmith native',
  threads: 'tracesmith native, all cores',
};

/** The forms of an engine as contenders; `tag` tells a saved engine from the present one. */
export function contendersOf({ wasm, native }: Engine, tag = ''): Contender[] {
  const both = { isOurs: true, modes: ['color', 'binary'] } as const;
  const name = (form: keyof typeof NAMES) => (tag === '' ? NAMES[form] : `${NAMES[form]} (${tag})`);
  const id = (form: keyof typeof NAMES) => `ours-${form}${tag === '' ? '' : `@${tag}`}`;
  const contenders: Contender[] = [
    {
      id: id('wasm'),
      name: name('wasm'),
      about: 'this project’s WebAssembly package, in Node.js',
      ...both,
      ...inNode('tracesmith', join(wasm, 'index.js')),
    },
  ];
  if (native !== undefined) {
    const addon = { ...both, ...inNode('tracesmith', nativeEntry(native)) };
    contenders.push(
      {
        id: id('native'),
        name: name('native'),
        about: 'this project’s native Node.js addon, on one core as the others are',
        ...addon,
        env: { TRACESMITH_THREADS: '1' },
      },
      {
        id: id('threads'),
        name: name('threads'),
        about: 'the same, on all cores; its gain is in wall time',
        ...addon,
      },
    );
  }
  return contenders;
}
