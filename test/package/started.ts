import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/processes/free-port.ts';

const DEADLINE_MS = 60_000;

/** A server of another make, while it runs. */
export interface Started {
  url: string;
  stop(): Promise<void>;
}

/** Starts a program that is told its port, and waits until it answers. */
export async function start(
  command: string,
  args: (port: number) => string[],
  cwd: string,
): Promise<Started> {
  const port = await freePort();
  const child = spawn(command, args(port), { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(String(data)));
  const url = `http://127.0.0.1:${port}/`;
  const stop = async () => {
    if (child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const end = performance.now() + DEADLINE_MS;
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error(`${command} does not answer: ${said.join('')}`);
    }
    await sleep(50);
  }
  return { url, stop };
}
