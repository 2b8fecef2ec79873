// Measures what the first images cost a program that uses the WebAssembly package.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { drawnPictures } from '../core/pictures.ts';
import { Failed, lastWords } from '../core/process.ts';
import type { Gap, Start, StartResults } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { findRuntimes, type Runtime } from './runtimes.ts';

const program = fileURLToPath(new URL('first-images.mjs', import.meta.url));

/** A picture of few shapes, and one of many. */
const PICTURES = [...drawnPictures(['logo'], [256]), ...drawnPictures(['text'], [512])];

/** Far more than a process takes, also on a slow machine. */
const LIMIT_MS = 60_000;

interface Entry {
  runtime: Runtime;
  /** Of the program. */
  args: string[];
  result: StartResults;
}

/** The package in a folder, in as many processes for each runtime and picture; what fails is a gap. */
export async function measureStarts(folder: string, processes: number, gaps: Gap[]): Promise<StartResults[]> {
  const address = pathToFileURL(join(folder, 'index.js')).href;
  let entries = await entriesOf(findRuntimes(gaps), address);
  // In each round all take turns, so that a disturbance affects all of them.
  for (let round = 0; round < processes; round++) entries = entries.filter((entry) => sample(entry, gaps));
  const results = entries.map(({ result }) => result);
  for (const result of results) console.log(line(result));
  return results;
}

async function entriesOf(runtimes: Runtime[], address: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const runtime of runtimes) {
    for (const { name, width, height, file } of PICTURES) {
      const args = [address, await file(), String(width), String(height)];
      entries.push({ runtime, args, result: { runtime: runtime.name, picture: name, processes: [] } });
    }
  }
  return entries;
}

/** Adds one process; false if it failed. */
function sample({ runtime, args, result }: Entry, gaps: Gap[]): boolean {
  try {
    result.processes.push(start(runtime, args));
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    gaps.push({ what: `first images in ${runtime.name}, ${result.picture}`, why: error.message });
    return false;
  }
}

function start({ command, flags }: Runtime, args: string[]): Start {
  const limits = { timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const ended = spawnSync(command, [...flags, program, ...args], { encoding: 'utf8', ...limits });
  if (ended.status === 0) return JSON.parse(ended.stdout);
  throw new Failed(ended.error?.message ?? `ended: ${lastWords(ended.stderr)}`);
}

function line({ runtime, picture, processes }: StartResults): string {
  const first = median(processes.map(({ tracesMs }) => Number(tracesMs[0])));
  const last = median(processes.map(({ tracesMs }) => Number(tracesMs.at(-1))));
  return `${runtime}, ${picture}: first ${first.toPrecision(3)}, tenth ${last.toPrecision(3)} ms`;
}
