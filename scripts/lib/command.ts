import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Everything that scripts build or download for themselves. */
export const cache = join(root, '.cache');

/** A failed step; the message says how to repair it. */
export class StepFailed extends Error {}

interface Settings {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Printed after a failure: what to install or to run. */
  advice?: string;
}

/** Runs a command and shows its output; throws StepFailed if it fails. */
export function run(command: string, args: string[], settings: Settings = {}): void {
  const result = spawnSync(command, args, { ...options(settings), stdio: 'inherit' });
  if (result.status === 0) return;
  const why = result.error?.message ?? `exit code ${result.status ?? result.signal}`;
  const advice = settings.advice === undefined ? '' : `\n  ${settings.advice}`;
  throw new StepFailed(`${command} ${args.join(' ')}: ${why}${advice}`);
}

/** The stdout of a command; undefined if it is missing or fails. */
export function output(command: string, args: string[], settings: Settings = {}): string | undefined {
  const result = spawnSync(command, args, { ...options(settings), stdio: 'pipe', encoding: 'utf8' });
  return result.status === 0 ? String(result.stdout).trim() : undefined;
}

function options({ cwd = root, env = {} }: Settings): Pick<SpawnSyncOptions, 'cwd' | 'env'> {
  return { cwd, env: { ...process.env, ...env } };
}

/** PATH with more folders in front. */
export function pathWith(...folders: string[]): string {
  return [...folders, process.env.PATH ?? ''].join(delimiter);
}

/** Runs a JavaScript program of an npm package: the wrappers in node_modules/.bin need a shell on Windows. */
export function runNode(script: string, args: string[], settings: Settings = {}): void {
  run(process.execPath, [join(root, 'node_modules', script), ...args], settings);
}

/** Installs npm packages in a folder: those of its package.json, and those in `more`, which may hold flags as well. */
export function npmInstall(folder: string, ...more: string[]): void {
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', '--prefix', folder, ...quiet, ...more], {
    advice: 'Is the package registry reachable?',
  });
}

/** The files in a folder of test/, and below, whose names have this ending. */
export function testFiles(folder: string, ending: string): string[] {
  const names = readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(root, 'test', folder, name));
}

/** How tests are run. */
interface TestRun {
  /** Which Node.js runs them. */
  node?: string;
  env?: Record<string, string>;
  /** Files at once: as many as there are processors, as many of them wait most of the time. */
  concurrency?: number;
}

/** Runs test files. */
export function runTests(
  files: string[],
  { node = process.execPath, env = {}, concurrency = availableParallelism() }: TestRun = {},
): void {
  run(node, testArguments(files, concurrency), { env });
}

/** Runs test files several times at once, each time differently. */
export async function runTestsTogether(files: string[], runs: (TestRun & { name: string })[]): Promise<void> {
  const concurrency = Math.max(1, Math.floor(availableParallelism() / runs.length));
  const args = testArguments(files, concurrency);
  await runTogether(
    runs.map(({ name, node = process.execPath, env = {} }) => ({
      name,
      command: node,
      args,
      settings: { env },
    })),
  );
}

/** A command that runs beside others. */
export interface Together {
  /** Stands above its output. */
  name: string;
  command: string;
  args: string[];
  settings?: Settings;
}

/** Runs commands at once, and shows the output of one after the other: of those that fail last, so that they stand at the end. */
export async function runTogether(commands: Together[]): Promise<void> {
  const results = await Promise.all(
    commands.map(async ({ name, command, args, settings = {} }) => {
      const child = spawn(command, args, { ...options(settings), stdio: ['ignore', 'pipe', 'pipe'] });
      const chunks: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const [code] = await once(child, 'close');
      const failure = settings.advice === undefined ? name : `${name}\n  ${settings.advice}`;
      return { name, code, output: Buffer.concat(chunks), failure };
    }),
  );
  for (const { name, output } of results.toSorted((a, b) => Number(a.code !== 0) - Number(b.code !== 0))) {
    say(name);
    process.stdout.write(output);
  }
  const failed = results.filter(({ code }) => code !== 0).map(({ failure }) => failure);
  if (failed.length > 0) throw new StepFailed(`failed: ${failed.join(', ')}`);
}

function testArguments(files: string[], concurrency: number): string[] {
  const flags = ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec'];
  return ['--import', 'tsx', ...flags, ...files.toSorted()];
}

export function say(message: string): void {
  console.log(`\n▸ ${message}`);
}

/** Runs a task; a failed step ends it with a message and without a stack trace. */
export async function main(steps: () => void | Promise<void>): Promise<void> {
  try {
    await steps();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`\n✗ ${error.message}`);
    process.exitCode = 1;
  }
}
