// The engines on all pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { drawingsFolder } from '../core/paths.ts';
import type { Picture } from '../core/pictures.ts';
import type { Effort } from '../core/plan.ts';
import { Failed } from '../core/process.ts';
import type { Gap, Measurement } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import type { Contender } from './contender.ts';
import type { Judge } from './judge.ts';
import { race } from './race.ts';

export interface Run {
  pictures: Picture[];
  contenders: Contender[];
  effort: Effort;
  judge?: Judge;
}

export interface Outcome {
  measurements: Measurement[];
  gaps: Gap[];
}

export async function runAll(run: Run): Promise<Outcome> {
  const outcome: Outcome = { measurements: [], gaps: [] };
  for (const [index, picture] of run.pictures.entries()) {
    const { measurements, gaps } = await runOne(run, picture, outcome);
    outcome.measurements.push(...measurements);
    outcome.gaps.push(...gaps);
    console.log(`[${index + 1}/${run.pictures.length}] ${line(picture, measurements, run.contenders)}`);
  }
  run.judge?.end();
  return outcome;
}

async function runOne(run: Run, picture: Picture, before: Outcome): Promise<Outcome> {
  const rgbaFile = await picture.file();
  mkdirSync(drawingsFolder, { recursive: true });
  const svgFile = ({ id }: Contender) =>
    join(drawingsFolder, `${picture.name.replace(/\W+/g, '-')}-${id}.svg`);
  const able = run.contenders.filter(({ modes }) => modes.includes(picture.mode));
  const tooSlow = able.filter(({ id }) => expectedMs(id, picture, run, before) > run.effort.limitMs);
  const contenders = able.filter((contender) => !tooSlow.includes(contender));
  const { measurements, gaps } = await race({ ...run, contenders, picture, rgbaFile, svgFile });
  for (const { name } of tooSlow)
    gaps.push({ what: `${name} on ${picture.name}`, why: 'would take too long' });
  for (const measurement of measurements) {
    const contender = contenders.find(({ id }) => id === measurement.contender) as Contender;
    gaps.push(...(await addFidelity(measurement, svgFile(contender), rgbaFile, picture, run.judge)));
  }
  return { measurements, gaps };
}

/** By the largest picture of this kind so far, as if time grew with the pixels; it grows faster than that, if anything. */
function expectedMs(id: string, picture: Picture, { pictures, effort }: Run, before: Outcome): number {
  const pixels = ({ width, height }: Picture) => width * height;
  const same = pictures.filter(({ kind }) => kind === picture.kind);
  const earlier = same.slice(0, same.indexOf(picture)).filter((one) => pixels(one) <= pixels(picture));
  const largest = earlier.sort((a, b) => pixels(b) - pixels(a))[0];
  if (largest === undefined || !picture.scales) return 0;
  const seen = before.measurements.find((one) => one.contender === id && one.picture === largest.name);
  // It failed there, or was left out.
  if (seen === undefined) return effort.limitMs + 1;
  return (median(seen.wallMs) * pixels(picture)) / pixels(largest);
}

async function addFidelity(
  measurement: Measurement,
  svgFile: string,
  rgbaFile: string,
  picture: Picture,
  judge: Judge | undefined,
): Promise<Gap[]> {
  if (judge === undefined) return [];
  try {
    Object.assign(measurement, await judge.compare(svgFile, rgbaFile, picture));
    return [];
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return [{ what: `fidelity of ${measurement.contender} on ${picture.name}`, why: error.message }];
  }
}

function line({ name }: Picture, measurements: Measurement[], contenders: Contender[]): string {
  const cells = measurements.map(({ contender, cpuMs }) => {
    const label = contenders.find(({ id }) => id === contender)?.name;
    return `${label} ${median(cpuMs).toPrecision(3)}`;
  });
  return `${name}: ${cells.join(', ')} ms`;
}
