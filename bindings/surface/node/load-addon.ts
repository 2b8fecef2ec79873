// The compiled engine of this machine, where there is one.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Reached } from './watch.ts';

type TraceArguments = [width: number, height: number, rgba: Uint8Array, settings: string];

/** Ends one trace from another thread. */
interface Stop {
  stop(): void;
}

export interface Addon {
  version(): string;
  trace(...args: [...TraceArguments, stop: Stop, reached?: Reached]): Promise<string>;
  traceSync(...args: [...TraceArguments, reached?: Reached]): string;
  Stop: new () => Stop;
}

// Written by @napi-rs/cli: it knows the machine, and asks for the file or the package that is made for it.
const LOADER = '../loader.cjs';
const MANIFEST = '../package.json';

/** The addon, or why there is none: not built or installed for this machine, damaged, or of another version. */
export function loadAddon(): Addon | Error {
  try {
    const require = createRequire(import.meta.url);
    const addon = refusingCutOff(() => require(LOADER) as Addon);
    const [found, wanted] = [addon.version(), require(MANIFEST).version];
    return found === wanted ? addon : new Error(`the addon is of version ${found}, the package of ${wanted}`);
  } catch (cause) {
    return new Error('there is no native engine that runs here', { cause });
  }
}

/** Linux maps a library that is cut off, as by a copy that was interrupted, and the process dies of it: that is told before. */
function refusingCutOff<Loaded>(load: () => Loaded): Loaded {
  const open = process.dlopen;
  process.dlopen = (module: object, file: string, flags?: number) => {
    if (isCutOff(file)) throw new Error(`${file} is cut off`);
    return flags === undefined ? open(module, file) : open(module, file, flags);
  };
  try {
    return load();
  } finally {
    process.dlopen = open;
  }
}

/** Whether an ELF file of 64 bits ends before its table of sections does, which is its last part. */
function isCutOff(file: string): boolean {
  const HEADER_BYTES = 64;
  const MAGIC = 0x7f454c46;
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, header) < HEADER_BYTES || header.readUInt32BE(0) !== MAGIC) return false;
    const [tableAt, entryBytes, entries] = [
      header.readBigUInt64LE(40),
      header.readUInt16LE(58),
      header.readUInt16LE(60),
    ];
    return fstatSync(descriptor).size < Number(tableAt) + entryBytes * entries;
  } finally {
    closeSync(descriptor);
  }
}
