import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const cache = join(root, '.cache');

/** A step that failed, with what to do about it. */
export class StepFailed extends Error {}

interface Settings {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Shown after the failure: what to install or to run. */
  advice?: string;
}

/** Runs a command with its output shown; throws when it fails. */
export function run(command: string, args: string[], settings: Settings = {}): void {
  const result = spawnSync(command, args, { ...options(settings), stdio: 'inherit' });
  if (result.status === 0) return;
  const why = result.error?.message ?? `exit code ${result.status ?? result.signal}`;
  const advice = settings.advice === undefined ? '' : `\n  ${settings.advice}`;
  throw new StepFailed(`${command} ${args.join(' ')}: ${why}${advice}`);
}

/** What a command prints, or undefined when it cannot be run or fails. */
export function output(command: string, args: string[], settings: Settings = {}): string | undefined {
  const result = spawnSync(command, args, { ...options(settings), stdio: 'pipe', encoding: 'utf8' });
  return result.status === 0 ? String(result.stdout).trim() : undefined;
}

function options({ cwd = root, env = {} }: Settings): SpawnSyncOptions {
  return { cwd, env: { ...process.env, ...env } };
}

/** PATH with folders put before the rest. */
export function pathWith(...folders: string[]): string {
  return [...folders, process.env.PATH ?? ''].join(delimiter);
}

/** Runs a JavaScript program of an npm package; the wrappers in node_modules/.bin need a shell on Windows. */
export function runNode(script: string, args: string[], settings: Settings = {}): void {
  run(process.execPath, [join(root, 'node_modules', script), ...args], settings);
}

export function say(message: string): void {
  console.log(`\n▸ ${message}`);
}

/** Runs a script's main function; a failed step ends it with its message, without a stack. */
export function main(steps: () => void): void {
  try {
    steps();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`\n✗ ${error.message}`);
    process.exitCode = 1;
  }
}
