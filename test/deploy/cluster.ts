// What deploy/cluster/compose.yaml starts, as processes of this machine.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { Balancer } from '../../scripts/processes/balancer.ts';
import { keysProgram } from '../../scripts/processes/programs.ts';
import { Valkey } from '../../scripts/processes/valkey.ts';
import { Service } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPOSE = new URL('../../deploy/cluster/compose.yaml', import.meta.url);

/** Processes of the service with one store, behind HAProxy. */
export class Cluster {
  readonly services: Service[];
  readonly balancer: Balancer;
  readonly #store: Valkey;

  private constructor(services: Service[], balancer: Balancer, store: Valkey) {
    this.services = services;
    this.balancer = balancer;
    this.#store = store;
  }

  static async start(settings: Record<string, string>): Promise<Cluster> {
    const { services: planned } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true });
    const [program, ...args] = planned.store.command;
    if (program !== 'valkey-server') throw new Error(`the store is ${program}`);
    const store = await Valkey.start(...args);
    // The container's port and program are those of the image.
    const environment = { ...planned.tracesmith.environment, TRACESMITH_STORE: store.url, ...settings };
    const starts = Array.from({ length: planned.tracesmith.scale }, () => Service.start(environment));
    const services = await Promise.all(starts);
    return new Cluster(services, await Balancer.start(services), store);
  }

  /** Issues a key with the keys command. */
  async issueKey(tier: string): Promise<string> {
    const args = [...keysProgram, 'issue', '--tier', tier];
    const env = { ...process.env, TRACESMITH_STORE: this.#store.url };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    return stdout.trim();
  }

  async stop(): Promise<void> {
    await this.balancer.stop();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.#store.stop();
  }
}
