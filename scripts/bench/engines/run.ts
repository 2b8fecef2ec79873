// Runs the engines on all pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { drawingsFolder } from '../core/paths.ts';
import type { Picture } from '../core/pictures.ts';
import type { Effort } from '../core/plan.ts';
import type { Results } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import type { Contender } from './contender.ts';
import type { Judge } from './judge.ts';
import { race } from './race.ts';

export interface Run {
  pictures: Picture[];
  contenders: Contender[];
  effort: Effort;
  judge: Judge | undefined;
}

/** Adds measurements and gaps to the results. */
export async function runAll(run: Run, results: Results): Promise<void> {
  mkdirSync(drawingsFolder, { recursive: true });
  for (const [index, picture] of run.pictures.entries()) {
    const measurements = await runOne(run, picture, results);
    results.measurements.push(...measurements);
    const cells = measurements.map(({ contender, cpuMs }) => {
      const name = run.contenders.find(({ id }) => id === contender)?.name;
      return `${name} ${median(cpuMs).toPrecision(3)}`;
    });
    console.log(`[${index + 1}/${run.pictures.length}] ${picture.name}: ${cells.join(', ')} ms`);
  }
  run.judge?.end();
}

async function runOne(run: Run, picture: Picture, results: Results) {
  const { effort, judge } = run;
  const { gaps } = results;
  const rgbaFile = await picture.file();
  const svgFile = (id: string) => join(drawingsFolder, `${picture.name.replace(/\W+/g, '-')}-${id}.svg`);
  const contenders = run.contenders.filter(({ id, name, modes }) => {
    if (!modes.includes(picture.mode)) return false;
    if (expectedMs(id, picture, run, results) <= effort.limitMs) return true;
    gaps.push({ what: `${name} on ${picture.name}`, why: 'would take too long' });
    return false;
  });
  const measurements = await race({ picture, rgbaFile, contenders, effort, svgFile, gaps });
  for (const measurement of measurements)
    await judge?.compare(measurement, svgFile(measurement.contender), rgbaFile, picture);
  return measurements;
}

/** Predicts the time from the largest picture of this kind so far, as if it grew with the pixels; it grows no slower. */
function expectedMs(id: string, picture: Picture, { pictures, effort }: Run, before: Results): number {
  const pixels = ({ width, height }: Picture) => width * height;
  const same = pictures.filter(({ kind }) => kind === picture.kind);
  const earlier = same.slice(0, same.indexOf(picture)).filter((one) => pixels(one) <= pixels(picture));
  const largest = earlier.sort((a, b) => pixels(b) - pixels(a))[0];
  if (largest === undefined || !picture.scales) return 0;
  const seen = before.measurements.find((one) => one.contender === id && one.picture === largest.name);
  // It failed on that picture, or skipped it.
  if (seen === undefined) return effort.limitMs + 1;
  return (median(seen.wallMs) * pixels(picture)) / pixels(largest);
}
