// Two processes behind HAProxy against one process with one worker.
import { Balancer } from '../../test/deploy/balancer.ts';
import { Service } from '../../test/http/service.ts';
import { median } from '../bench/core/statistics.ts';
import { load } from '../bench/requests/load.ts';
import { pngOf } from '../bench/requests/png.ts';
import { noResponses } from './images.ts';

const SIDE = 1024;
const CONNECTIONS = 8;
const ROUNDS = 7;
const LOAD = { ms: 3_000, requests: 2_000 };

export interface BalancerGain {
  kind: string;
  side: number;
  onePerSecond: number;
  twoPerSecond: number;
  /** The median of the ratios of rounds, in which the two take turns. */
  ratio: number;
  /** Processor time of HAProxy for one request. */
  balancerCpuMs: number;
}

export async function measureBalancer(kind: string): Promise<BalancerGain> {
  const settings = { TRACESMITH_WORKERS: '1', TRACESMITH_LOG_LEVEL: 'warn' };
  const first = await Service.start(settings);
  const second = await Service.start({ ...settings, TRACESMITH_KEYS_FILE: first.keysFile });
  const balancer = await Balancer.start([first, second]);
  try {
    const pngFile = await pngOf(kind, SIDE);
    const common = { key: first.keys.enterprise, pngFile, connections: CONNECTIONS, ...LOAD };
    const perSecond = async (url: string) => {
      const found = noResponses();
      await load({ ...common, url }, found);
      if (found.refused > 0) throw new Error(`${found.refused} requests failed`);
      if (url === balancer.url) balanced += found.latenciesMs.length;
      return median(found.perSecond);
    };
    let balanced = 0;
    const cpuBefore = balancer.cpuMs;
    await perSecond(balancer.url);
    const [one, two]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await perSecond(first.url));
      two.push(await perSecond(balancer.url));
    }
    const ratios = two.map((rate, round) => rate / (one[round] as number));
    return {
      ...{ kind, side: SIDE, onePerSecond: median(one), twoPerSecond: median(two) },
      ratio: median(ratios),
      balancerCpuMs: (balancer.cpuMs - cpuBefore) / balanced,
    };
  } finally {
    await balancer.stop();
    await second.stop();
    await first.stop();
  }
}
