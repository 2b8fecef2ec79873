// Two processes behind HAProxy against one process with one worker.

import { median } from '../bench/core/statistics.ts';
import { load } from '../bench/requests/load.ts';
import { pngOf } from '../bench/requests/png.ts';
import { Balancer } from '../processes/balancer.ts';
import { ServiceProcess } from '../processes/service.ts';
import { noResponses } from './images.ts';

const CONNECTIONS = 8;
const ROUNDS = 5;
/** A round ends with its last response, so that no work is counted without one. */
const LIMIT_MS = 60_000;

/** What a round of load achieved, and the processor time that it took. */
interface Round {
  perSecond: number;
  /** Of the service; of two processes and HAProxy together. */
  cpuMsPerRequest: number;
}

export interface BalancerGain {
  kind: string;
  side: number;
  onePerSecond: number;
  twoPerSecond: number;
  /** The median of the ratios of rounds, in which the two take turns. */
  ratio: number;
  /** Requests per processor time of two processes and HAProxy, relative to one process: 1 if nothing is lost. */
  efficiency: number;
  /** Processor time of HAProxy for one request. */
  balancerCpuMs: number;
}

/** `requests` is the length of a round. */
export async function measureBalancer(kind: string, side: number, requests: number): Promise<BalancerGain> {
  const settings = { TRACESMITH_WORKERS: '1', TRACESMITH_LOG_LEVEL: 'warn' };
  const first = await ServiceProcess.start(settings);
  const second = await ServiceProcess.start({ ...settings, TRACESMITH_KEYS_FILE: first.keysFile });
  const balancer = await Balancer.start([first, second]);
  try {
    const pngFile = await pngOf(kind, side);
    const common = { key: first.keys.enterprise, pngFile, connections: CONNECTIONS, ms: LIMIT_MS, requests };
    let [balanced, balancerCpuMs] = [0, 0];
    const round = async (url: string, services: ServiceProcess[]): Promise<Round> => {
      const found = noResponses();
      const [before, balancerBefore] = [await cpuMsOf(services), balancer.cpuMs];
      const answered = await load({ ...common, url }, found);
      if (found.refused > 0) throw new Error(`${found.refused} requests failed`);
      const ofBalancer = balancer.cpuMs - balancerBefore;
      if (url === balancer.url) {
        balanced += answered;
        balancerCpuMs += ofBalancer;
      }
      const cpuMs = (await cpuMsOf(services)) - before + ofBalancer;
      return { perSecond: median(found.perSecond), cpuMsPerRequest: cpuMs / answered };
    };
    await round(balancer.url, [first, second]);
    const [one, two]: [Round[], Round[]] = [[], []];
    for (let count = 0; count < ROUNDS; count++) {
      one.push(await round(first.url, [first]));
      two.push(await round(balancer.url, [first, second]));
    }
    return { kind, side, ...gainOf(one, two), balancerCpuMs: balancerCpuMs / balanced };
  } finally {
    await balancer.stop();
    await second.stop();
    await first.stop();
  }
}

async function cpuMsOf(services: ServiceProcess[]): Promise<number> {
  const all = await Promise.all(services.map((service) => service.metric('process_cpu_seconds_total')));
  return all.reduce((sum, seconds) => sum + seconds * 1_000, 0);
}

function gainOf(one: Round[], two: Round[]) {
  const ratioOf = (name: keyof Round) =>
    median(two.map((round, index) => round[name] / (one[index] as Round)[name]));
  const rates = (rounds: Round[]) => median(rounds.map(({ perSecond }) => perSecond));
  return {
    ...{ onePerSecond: rates(one), twoPerSecond: rates(two) },
    ...{ ratio: ratioOf('perSecond'), efficiency: 1 / ratioOf('cpuMsPerRequest') },
  };
}
