// The service in a process of its own, for tests and measurements.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../host/auth/api-key.ts';
import { root } from '../lib/command.ts';
import { serviceProgram } from './programs.ts';

/** The longest wait for a process. */
export const DEADLINE_MS = 60_000;

const TIERS = ['free', 'pro', 'enterprise'] as const;
/** A key of each tier, and one of Pro with its own rate limit. */
type Keys = Record<(typeof TIERS)[number] | 'custom', string>;

/** The service in its own process, on a free port, with an account of each tier. */
export class ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  readonly process: ReturnType<typeof spawn>;
  readonly keysFile: string;
  readonly #folder: string;
  /** All lines of the log. */
  readonly log: string[];

  readonly metricsUrl: string;

  protected constructor({ child, keys, folder, log, url, metricsUrl }: Started) {
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.port = Number(new URL(url).port);
    this.keys = keys;
    this.process = child;
    this.#folder = folder;
    this.keysFile = join(folder, 'keys.json');
    this.log = log;
  }

  static async start(settings: Record<string, string> = {}): Promise<ServiceProcess> {
    return new ServiceProcess(await startService(settings));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
      this.process.kill('SIGTERM');
      await exit.catch((error) => {
        // No process may outlive its test.
        this.process.kill('SIGKILL');
        throw error;
      });
    }
    rmSync(this.#folder, { recursive: true });
  }

  /** The metrics in Prometheus's text format. */
  async metrics(): Promise<string> {
    const response = await fetch(this.metricsUrl, { signal: AbortSignal.timeout(DEADLINE_MS) });
    return response.text();
  }

  /** The sum of a metric over all labels. */
  async metric(name: string): Promise<number> {
    const lines = (await this.metrics()).split('\n').filter((line) => line.split(/[{ ]/, 1)[0] === name);
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Resolves when a metric has a value, or one that a predicate accepts. */
  async untilMetric(name: string, expected: number | ((value: number) => boolean)): Promise<void> {
    const isRight = typeof expected === 'number' ? (value: number) => value === expected : expected;
    const deadline = Date.now() + DEADLINE_MS;
    for (let found = Number.NaN; !isRight(found); found = await this.metric(name)) {
      if (Date.now() > deadline) throw new Error(`${name} is ${found}, not ${expected}`);
      await sleep(20);
    }
  }

  /** The memory of the process, by the kernel of Linux. */
  get residentBytes(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  /** Resolves when a line of the log contains a text: the log is written asynchronously. */
  async untilLogged(text: string): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    while (!this.log.some((line) => line.includes(text))) {
      if (Date.now() > deadline) throw new Error(`not logged: ${text}`);
      await sleep(20);
    }
  }

  /** The log line of a request, by its id. */
  async logOf(requestId: string): Promise<Record<string, unknown>> {
    const isItsLine = (line: string) =>
      line.includes(`"requestId":"${requestId}"`) && line.includes('"durationMs"');
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = this.log.find(isItsLine);
      if (found !== undefined) return JSON.parse(found);
      if (Date.now() > deadline) throw new Error(`not logged: ${requestId}`);
      await sleep(20);
    }
  }
}

/** A process that listens. */
export interface Started extends Spawned {
  url: string;
  metricsUrl: string;
}

interface Spawned {
  child: ReturnType<typeof spawn>;
  keys: Keys;
  folder: string;
  log: string[];
}

/** Starts the service, and waits until it has printed its addresses. */
export async function startService(settings: Record<string, string>): Promise<Started> {
  const spawned = spawnService(settings);
  const input = spawned.child.stdout as NodeJS.ReadableStream;
  const lines = createInterface({ input, signal: AbortSignal.timeout(DEADLINE_MS) });
  const addresses: string[] = [];
  for await (const line of lines) {
    addresses.push(String(/http:\S+/.exec(line)?.[0]));
    if (addresses.length === 2) break;
  }
  const [url, metricsUrl] = addresses;
  if (url !== undefined && metricsUrl !== undefined) return { ...spawned, url, metricsUrl };
  spawned.child.kill();
  throw new Error(`the service did not start: ${spawned.log.join('\n')}`);
}

function spawnService(settings: Record<string, string>): Spawned {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  const keys = { free: generateKey(), pro: generateKey(), enterprise: generateKey(), custom: generateKey() };
  const custom = { hash: hashOf(keys.custom), account: 'custom', tier: 'pro', limit: 10_000 };
  const rows = [custom, ...TIERS.map((tier) => ({ hash: hashOf(keys[tier]), account: tier, tier }))];
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, JSON.stringify({ keys: rows }));
  const env = {
    ...process.env,
    PORT: '0',
    TRACESMITH_ADMIN_PORT: '0',
    TRACESMITH_WORKERS: '2',
    TRACESMITH_KEYS_FILE: keysFile,
    ...settings,
  };
  const child = spawn(process.execPath, serviceProgram, { cwd: root, env });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  return { child, keys, folder, log };
}

/** What a key file holds of a key. */
export const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
