// Measures what docs/scaling.md says: npm run measure-scaling [-- images memory balancer store]
import { cpus, loadavg } from 'node:os';
import { main, StepFailed, say } from '../lib/command.ts';
import { measureBalancer } from './balancer.ts';
import { measureImages } from './images.ts';
import { bytesPerWorker, measureMemory } from './memory.ts';
import { coreHoursPerMillion, perCoreSecond } from './sizing.ts';
import { measureStoreCapacity, measureStoreCost } from './store.ts';

const MIB = 1024 ** 2;
const MEMORY_SIDE = 1024;

/** Large enough that a process has one thread for them: it traces small images on a second one. */
const BALANCED = [
  ['logo', 1024, 300],
  ['photo', 1024, 40],
] as const;

const PARTS: Record<string, () => Promise<void>> = {
  async images() {
    say('The cost of an image');
    row('image', 'PNG, KB', 'CPU, ms', 'requests/s per core', 'of one worker', 'core hours per million');
    await measureImages(({ kind, side, uploadBytes, cpuMs, perSecond }) => {
      const perCore = perCoreSecond(cpuMs);
      const hours = coreHoursPerMillion(cpuMs);
      row(`${kind} ${side}`, ...[uploadBytes / 1_000, cpuMs, perCore, perSecond, hours].map(short));
    });
  },
  async memory() {
    say(`The memory of a process, with photographs of ${MEMORY_SIDE} px`);
    const uses = await measureMemory(MEMORY_SIDE);
    row('workers', 'idle, MiB', 'peak, MiB');
    for (const { workers, idleBytes, peakBytes } of uses)
      row(String(workers), short(idleBytes / MIB), short(peakBytes / MIB));
    console.log(`each further worker: ${short(bytesPerWorker(uses) / MIB)} MiB`);
  },
  async balancer() {
    say('Two processes behind HAProxy against one process, one worker each');
    row('image', 'one, requests/s', 'two, requests/s', 'ratio', 'efficiency', 'HAProxy, ms per request');
    for (const [name, size, requests] of BALANCED) {
      const { kind, side, ...gain } = await measureBalancer(name, size, requests);
      const rates = [gain.onePerSecond, gain.twoPerSecond].map(short);
      row(
        `${kind} ${side}`,
        ...rates,
        gain.ratio.toFixed(2),
        gain.efficiency.toFixed(2),
        short(gain.balancerCpuMs),
      );
    }
  },
  async store() {
    say('The shared store');
    const { commands, addedMs } = await measureStoreCost();
    console.log(`commands per request: ${short(commands)}; added to a request: ${short(addedMs)} ms`);
    const { cpuUs, perSecond, bytesPerRequest } = await measureStoreCapacity();
    console.log(
      `CPU of the store per request: ${short(cpuUs)} µs, or ${short(1e6 / cpuUs)} requests/s per core`,
    );
    console.log(`in this run: ${short(perSecond)} requests/s; ${short(bytesPerRequest)} bytes per request`);
  },
};

const short = (value: number) => String(Number(value.toPrecision(3)));
const row = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`);

await main(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
  const unknown = names.find((name) => PARTS[name] === undefined);
  if (unknown !== undefined)
    throw new StepFailed(`${unknown} is not one of ${Object.keys(PARTS).join(', ')}`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}`;
  console.log(`${machine}, load average before: ${loadavg().map(short).join(', ')}`);
  for (const name of names) await PARTS[name]?.();
});
