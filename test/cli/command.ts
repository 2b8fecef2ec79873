import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import type { Failure } from '../../host/cli/failure.ts';
import type { TracedFile } from '../../host/cli/file-tracer.ts';
import type { Report } from '../../host/cli/report/report.ts';
import { cache } from '../../scripts/lib/command.ts';
import { assembleCli } from '../../scripts/release/cli-package.ts';
import { DEADLINE_MS } from '../http/service.ts';

const PICTURES = fileURLToPath(new URL('../pictures', import.meta.url));

/** The command line as it would be published, in a folder of the repository, where it finds its dependencies. */
export const program = assemble();

/** Another copy, deleted after the tests. */
export function assemble(): string {
  const folder = mkdirTemporary(cache);
  assembleCli(folder);
  return join(folder, 'tracesmith.mjs');
}

/** An empty folder, deleted after the tests. */
export function emptyFolder(): string {
  return mkdirTemporary(tmpdir());
}

function mkdirTemporary(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'tracesmith-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with copies of images of test/pictures, under the given names. */
export function folderOf(names: Record<string, string>): string {
  const folder = emptyFolder();
  for (const [name, picture] of Object.entries(names)) put(folder, name, picture);
  return folder;
}

export function put(folder: string, name: string, picture: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  copyFileSync(join(PICTURES, picture), join(folder, name));
}

/** All files below a folder, sorted, without links. (Whether readdirSync follows them depends on the version of Node.js.) */
export function filesIn(folder: string): string[] {
  return globSync('**', { cwd: folder, dot: true, followSymbolicLinks: false }).sort();
}

export interface Settings {
  cwd?: string;
  env?: Record<string, string>;
  /** A program that starts the command line, and its arguments. */
  through?: string[];
  /** Another copy of the command line. */
  script?: string;
  /** Written to stdin, which is then closed. */
  input?: Uint8Array | string;
}

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line in its own process, which is killed if it takes too long. */
export function start(
  args: string[],
  { cwd, env = {}, input = '', through = [], script = program }: Settings = {},
): ChildProcess {
  const options = { cwd, env: { ...process.env, ...env }, timeout: DEADLINE_MS };
  const [command = '', ...rest] = [...through, process.execPath, script, ...args];
  const child = spawn(command, rest, options);
  // The process may end without reading stdin.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return child;
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  return { code, signal, stdout, stderr };
}

export const run = (args: string[], settings?: Settings): Promise<Outcome> =>
  outcomeOf(start(args, settings));

/** The report of --json. */
export interface Json {
  version: string;
  engine: string;
  jobs: number;
  options: Record<string, unknown>;
  exitCode: number;
  totals: ReturnType<Report['totals']>;
  files: (TracedFile & {
    /** With --remote. */
    host?: string;
    path: string;
    output: string | null;
    status: string;
    error?: Failure;
  })[];
}

export async function runJson(args: string[], settings?: Settings): Promise<Outcome & { json: Json }> {
  const outcome = await run([...args, '--json'], settings);
  return { ...outcome, json: JSON.parse(outcome.stdout) };
}
