import type { ContenderInfo, Measurement, PictureInfo } from '../core/results.ts';
import { ENOUGH_ROUNDS, mean, SAME, verdict } from '../core/statistics.ts';
import { type Point, rows } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, digits, figure, NONE, ratioWords, table } from './model.ts';

/** An engine as it is now, and as it was. */
export interface Match {
  now: ContenderInfo;
  before: ContenderInfo;
}

/** The effect of a change: this engine against a saved one, measured in the same run. */
export function comparison(look: Look, name: string, matches: Match[]): Block[] {
  return [
    `## Against “${name}”`,
    `This engine and the one saved as “${name}” took turns in this run. Time: processor time now as a multiple of before, with its 99 % interval; “no difference” if the interval includes 1 or the ratio is within ${SAME * 100} % of it. Bytes and PSNR: now against before.`,
    ...matches.flatMap((match) => blocksOf(look, match)),
  ];
}

function blocksOf(look: Look, { now, before }: Match) {
  const { pictures } = look.results;
  const rounds = (picture: PictureInfo) => look.ratio(now, before, [picture])?.rounds ?? 0;
  const sure = pictures.filter((picture) => rounds(picture) >= ENOUGH_ROUNDS);
  const groups = [
    { title: 'all', pictures: sure },
    ...look.kinds.map((kind) => ({ title: kind, pictures: sure.filter((picture) => picture.kind === kind) })),
    ...pictures.map((picture) => ({ title: picture.name, pictures: [picture] })),
  ];
  const body = groups.map(({ title, pictures }) => {
    const found = look.ratio(now, before, pictures);
    if (found === undefined) return [title, NONE, '', NONE, NONE];
    const pairs = pictures.flatMap((picture): [Measurement, Measurement][] => {
      const [a, b] = [look.of(now, picture), look.of(before, picture)];
      return a === undefined || b === undefined ? [] : [[a, b]];
    });
    return [title, ratioWords(found), verdict(found), bytes(pairs), psnr(pairs)];
  });
  const points = pictures.flatMap((picture): Point[] => {
    const found = look.ratio(now, before, [picture]);
    return found === undefined ? [] : [{ series: now.name, group: picture.name, ...found }];
  });
  return [
    table([now.name, 'time', '', 'bytes', 'PSNR, dB'], body),
    figure(
      `compare-${now.id}`,
      rows(points, { title: '× the time before', isLog: true, reference: 1 }),
      `${now.name}: time now as a multiple of before; left of 1 is faster.`,
    ),
  ];
}

function bytes(pairs: [Measurement, Measurement][]): string {
  const now = pairs.reduce((sum, [one]) => sum + one.bytes, 0);
  const before = pairs.reduce((sum, [, one]) => sum + one.bytes, 0);
  return now === before ? 'same' : `× ${(now / before).toFixed(3)}`;
}

function psnr(pairs: [Measurement, Measurement][]): string {
  const gains = pairs.flatMap(([now, before]) =>
    now.psnr === undefined || before.psnr === undefined ? [] : [now.psnr - before.psnr],
  );
  if (gains.length === 0) return NONE;
  const gain = mean(gains);
  return gain === 0 ? 'same' : `${gain > 0 ? '+' : '−'}${digits(Math.abs(gain))}`;
}
