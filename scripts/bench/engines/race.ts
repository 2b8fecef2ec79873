// Engines take turns on one picture.
import type { Effort } from '../core/plan.ts';
import { Failed } from '../core/process.ts';
import type { Gap, Measurement, PictureInfo } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { type Contender, Racer } from './contender.ts';

const MOST_CALLS_PER_SAMPLE = 1_000;

export interface Race {
  picture: PictureInfo;
  rgbaFile: string;
  contenders: Contender[];
  effort: Effort;
  /** Where to write the SVG of an engine. */
  svgFile(contender: Contender): string;
}

interface Entry {
  racer: Racer;
  measurement: Measurement;
  /** Processor time of the samples so far. */
  spentMs: number;
  callsPerSample: number;
}

/** The measurements of the engines that finish; the others are gaps. */
export async function race(run: Race): Promise<{ measurements: Measurement[]; gaps: Gap[] }> {
  const gaps: Gap[] = [];
  let entries = run.contenders.map((contender) => enter(run, contender));
  const each = async (step: (entry: Entry) => Promise<void>) => {
    for (const entry of entries) {
      await step(entry).catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        gaps.push({ what: `${entry.racer.contender.name} on ${run.picture.name}`, why: error.message });
        entry.racer.end();
        entries = entries.filter((one) => one !== entry);
      });
    }
  };
  await each((entry) => firstCall(entry, run));
  await each((entry) => warm(entry, run.effort));
  for (let round = 0; round < run.effort.rounds; round++) {
    await each((entry) => sample(entry, run.effort));
    // A new order in each round: no engine always inherits the caches and the heat of the same neighbor.
    entries.push(...entries.splice(0, 1));
  }
  await each((entry) => stages(entry, run.effort));
  for (const { racer } of entries) racer.end();
  return { measurements: entries.map(({ measurement }) => measurement), gaps };
}

function enter({ picture, effort }: Race, contender: Contender): Entry {
  const names = { picture: picture.name, contender: contender.id };
  const firstCall = { firstCpuMs: 0, firstWallMs: 0, bytes: 0, addedBytes: 0 };
  const measurement = { ...names, cpuMs: [], wallMs: [], ...firstCall };
  return { racer: new Racer(contender, effort.limitMs), measurement, spentMs: 0, callsPerSample: 1 };
}

async function firstCall(entry: Entry, { picture, rgbaFile, svgFile }: Race): Promise<void> {
  const { racer, measurement } = entry;
  const residentBytes = await racer.take(picture, rgbaFile);
  const { cpuMs, wallMs, bytes, peakBytes, engineBytes } = await racer.run(1);
  await racer.write(svgFile(racer.contender));
  const addedBytes = Math.max(0, peakBytes - residentBytes);
  Object.assign(measurement, { firstCpuMs: cpuMs, firstWallMs: wallMs, bytes, addedBytes });
  if (engineBytes !== undefined) measurement.engineBytes = engineBytes;
}

/** Smaller gains are noise and not the work of a compiler. */
const GAIN = 0.95;
const STEPS_WITHOUT_GAIN = 2;

/** Repeats the call until it gets no faster, and finds how many calls make a sample. */
async function warm(entry: Entry, { warmMs, sampleMs }: Effort): Promise<void> {
  let best = entry.measurement.firstCpuMs;
  let spentMs = 0;
  for (let idle = 0; idle < STEPS_WITHOUT_GAIN && spentMs + best * entry.callsPerSample <= warmMs; ) {
    const { cpuMs } = await entry.racer.run(entry.callsPerSample);
    const callMs = cpuMs / entry.callsPerSample;
    idle = callMs < best * GAIN ? 0 : idle + 1;
    best = Math.min(best, callMs);
    spentMs += cpuMs;
    entry.callsPerSample = Math.max(1, Math.min(MOST_CALLS_PER_SAMPLE, Math.ceil(sampleMs / best)));
  }
}

async function sample(entry: Entry, { budgetMs }: Effort): Promise<void> {
  const { racer, measurement, callsPerSample } = entry;
  const nextMs = callsPerSample * (measurement.cpuMs.at(-1) ?? 0);
  if (entry.spentMs + nextMs > budgetMs) return;
  const { cpuMs, wallMs } = await racer.run(callsPerSample);
  entry.spentMs += cpuMs;
  measurement.cpuMs.push(cpuMs / callsPerSample);
  measurement.wallMs.push(wallMs / callsPerSample);
}

/** Times the stages; only our engines report them. */
async function stages({ racer, measurement, callsPerSample }: Entry, { rounds, budgetMs }: Effort) {
  if (!racer.contender.isOurs) return;
  const most = Math.floor(budgetMs / median(measurement.cpuMs));
  const found = await racer.stages(Math.max(1, Math.min(most, rounds * callsPerSample)));
  if (Object.keys(found).length > 0) measurement.stagesMs = found;
}
