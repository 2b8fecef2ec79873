// Engines take turns on one picture.
import type { Effort } from '../core/plan.ts';
import { Failed, type Helper } from '../core/process.ts';
import type { Gap, Measurement, PictureInfo } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { type Contender, start } from './contender.ts';

const MOST_CALLS_PER_SAMPLE = 1_000;

export interface Race {
  picture: PictureInfo;
  rgbaFile: string;
  contenders: Contender[];
  effort: Effort;
  /** Where to write the SVG of an engine. */
  svgFile(id: string): string;
  /** Gets the engines that do not finish. */
  gaps: Gap[];
}

interface Entry {
  contender: Contender;
  helper: Helper;
  measurement: Measurement;
  /** Processor time of the samples so far. */
  spentMs: number;
  callsPerSample: number;
}

/** The cost of one or more calls. */
interface Calls {
  cpuMs: number;
  wallMs: number;
  bytes: number;
  peakBytes: number;
  engineBytes?: number;
}

/** The measurements of the engines that finish. */
export async function race(run: Race): Promise<Measurement[]> {
  const { picture, effort, gaps } = run;
  let entries = run.contenders.map((contender) => enter(run, contender));
  const each = async (step: (entry: Entry) => Promise<void>) => {
    for (const entry of entries) {
      await step(entry).catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        gaps.push({ what: `${entry.contender.name} on ${picture.name}`, why: error.message });
        entry.helper.end();
        entries = entries.filter((one) => one !== entry);
      });
    }
  };
  await each((entry) => firstCall(entry, run));
  await each((entry) => warm(entry, effort));
  for (let round = 0; round < effort.rounds; round++) {
    await each((entry) => sample(entry, effort));
    // A new order in each round: no engine always inherits the caches and the heat of the same neighbor.
    entries.push(...entries.splice(0, 1));
  }
  await each((entry) => stages(entry, effort));
  for (const { helper } of entries) helper.end();
  return entries.map(({ measurement }) => measurement);
}

function enter({ picture, effort }: Race, contender: Contender): Entry {
  const names = { picture: picture.name, contender: contender.id };
  const firstCall = { firstCpuMs: 0, firstWallMs: 0, bytes: 0, addedBytes: 0 };
  const measurement = { ...names, cpuMs: [], wallMs: [], ...firstCall };
  const helper = start(contender, effort.limitMs);
  return { contender, helper, measurement, spentMs: 0, callsPerSample: 1 };
}

async function firstCall(entry: Entry, { picture, rgbaFile, svgFile }: Race): Promise<void> {
  const { helper, measurement } = entry;
  const { mode, width, height } = picture;
  const residentBytes = await helper.call<number>('picture', mode, width, height, rgbaFile);
  const { cpuMs, wallMs, bytes, peakBytes, engineBytes } = await helper.call<Calls>('run', 1);
  await helper.call('write', svgFile(entry.contender.id));
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
    const { cpuMs } = await entry.helper.call<Calls>('run', entry.callsPerSample);
    const callMs = cpuMs / entry.callsPerSample;
    idle = callMs < best * GAIN ? 0 : idle + 1;
    best = Math.min(best, callMs);
    spentMs += cpuMs;
    entry.callsPerSample = Math.max(1, Math.min(MOST_CALLS_PER_SAMPLE, Math.ceil(sampleMs / best)));
  }
}

async function sample(entry: Entry, { budgetMs }: Effort): Promise<void> {
  const { helper, measurement, callsPerSample } = entry;
  const nextMs = callsPerSample * (measurement.cpuMs.at(-1) ?? 0);
  if (entry.spentMs + nextMs > budgetMs) return;
  const { cpuMs, wallMs } = await helper.call<Calls>('run', callsPerSample);
  entry.spentMs += cpuMs;
  measurement.cpuMs.push(cpuMs / callsPerSample);
  measurement.wallMs.push(wallMs / callsPerSample);
}

/** Times the stages; only our engines report them. */
async function stages(
  { contender, helper, measurement, callsPerSample }: Entry,
  { rounds, budgetMs }: Effort,
) {
  if (!contender.isOurs) return;
  const most = Math.floor(budgetMs / median(measurement.cpuMs));
  const calls = Math.max(1, Math.min(most, rounds * callsPerSample));
  const found = await helper.call<Record<string, number>>('stages', calls);
  if (Object.keys(found).length > 0) measurement.stagesMs = found;
}
