import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Settings {
  cwd?: string;
  env?: Record<string, string>;
  /** When it is ended. */
  timeoutMs?: number;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program and returns what it prints; throws with all of it when the program fails. */
export async function program(command: string, args: string[], settings: Settings = {}): Promise<string> {
  const { cwd, env = {}, timeoutMs = 60_000 } = settings;
  const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    return (await execute(command, args, options)).stdout;
  } catch (error) {
    const { code, signal, stdout, stderr } = error as Record<'code' | 'signal' | 'stdout' | 'stderr', string>;
    const how = `${[command, ...args].join(' ')} ended with ${signal ?? code}`;
    throw new Error(`${how}:\n${stdout}\n${stderr}`);
  }
}
