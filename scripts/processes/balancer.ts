// HAProxy with the configuration of deploy/cluster, in front of processes on this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findHaproxy } from '../setup/haproxy.ts';
import { freePort } from './free-port.ts';
import { DEADLINE_MS, type ServiceProcess } from './service.ts';

const CONFIGURATION = fileURLToPath(new URL('../../deploy/cluster/haproxy.cfg', import.meta.url));
const PROBE_INTERVAL_MS = 50;

export const program = findHaproxy();

/** HAProxy with processes of the service behind it. */
export class Balancer {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.#process = child;
    this.#folder = folder;
  }

  /** Resolves when all processes are in use. */
  static async start(services: ServiceProcess[]): Promise<Balancer> {
    const [port, statsPort] = [await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, rewrite(readFileSync(CONFIGURATION, 'utf8'), services, { port, statsPort }));
    const child = spawn(String(program), ['-f', file], { stdio: 'ignore' });
    const balancer = new Balancer(port, child, folder);
    await balancer.#untilUp(services.length, statsPort);
    return balancer;
  }

  /** Processor time of HAProxy so far, by the kernel of Linux, which counts in hundredths of a second. */
  get cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
    return (Number(user) + Number(system)) * 10;
  }

  async stop(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exit;
    rmSync(this.#folder, { recursive: true });
  }

  async #untilUp(count: number, statsPort: number): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    while (Date.now() < deadline) {
      const response = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => undefined);
      const rows = (await response?.text())?.split('\n') ?? [];
      if (rows.filter((row) => /^tracesmith,here\d,.*,UP,/.test(row)).length === count) return;
      await sleep(PROBE_INTERVAL_MS);
    }
    throw new Error('HAProxy does not find the services up');
  }
}

/** Whether HAProxy accepts the file as it is deployed. */
export const check = () => spawnSync(String(program), ['-c', '-f', CONFIGURATION], { encoding: 'utf8' });

/** Only ports and addresses differ from what is deployed. */
function rewrite(
  text: string,
  services: ServiceProcess[],
  ports: { port: number; statsPort: number },
): string {
  const servers = services.map(({ port, metricsUrl }, index) => {
    const adminPort = new URL(metricsUrl).port;
    return `    server here${index} 127.0.0.1:${port} port ${adminPort}`;
  });
  const stats = `frontend stats\n    bind 127.0.0.1:${ports.statsPort}\n    stats enable\n    stats uri /\n`;
  return `${replace(
    replace(text, /bind :8080/, `bind 127.0.0.1:${ports.port}`),
    /^ {4}server-template .*$/m,
    servers.join('\n'),
  )}\n${stats}`;
}

function replace(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`haproxy.cfg has no ${pattern}`);
  return text.replace(pattern, by);
}
