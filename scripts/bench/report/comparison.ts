import type { ContenderInfo, Measurement, PictureInfo } from '../core/results.ts';
import { ENOUGH_ROUNDS, SAME, verdict } from '../core/statistics.ts';
import { type RowPoint, rows } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, figure, paragraph, type Section, table } from './model.ts';
import { digits, NONE, ratioWords } from './words.ts';

/** An engine as it is now, and as it was. */
export interface Match {
  now: ContenderInfo;
  before: ContenderInfo;
}

/** What a change did: this engine against a saved one, measured in the same run. */
export function comparison(look: Look, name: string, matches: Match[]): Section {
  const intro = paragraph(
    `This engine and the one saved as “${name}” took turns in this run. Time: processor time now as a multiple of before, with its 99 % interval; “no difference” where the interval includes 1, or the ratio is within ${SAME * 100} % of it. Size and PSNR: now against before.`,
  );
  return {
    title: `Against “${name}”`,
    blocks: [intro, ...matches.flatMap((match) => blocksOf(look, match))],
  };
}

function blocksOf(look: Look, match: Match): Block[] {
  const { pictures } = look.results;
  const sure = pictures.filter(
    (picture) => (look.ratio(match.now, match.before, [picture])?.rounds ?? 0) >= ENOUGH_ROUNDS,
  );
  const groups = [
    { title: 'all', pictures: sure },
    ...look.kinds.map((kind) => ({ title: kind, pictures: sure.filter((picture) => picture.kind === kind) })),
  ];
  const cells = (group: { title: string; pictures: PictureInfo[] }) => row(look, match, group);
  const single = pictures.map((picture) => cells({ title: picture.name, pictures: [picture] }));
  return [
    table([match.now.name, 'time', '', 'bytes', 'PSNR, dB'], [...groups.map(cells), ...single]),
    figure(
      `compare-${match.now.id}`,
      plot(look, match),
      `${match.now.name}: time now as a multiple of before; left of 1 is faster.`,
    ),
  ];
}

function row(
  look: Look,
  match: Match,
  { title, pictures }: { title: string; pictures: PictureInfo[] },
): string[] {
  const found = look.ratio(match.now, match.before, pictures);
  if (found === undefined) return [title, NONE, '', NONE, NONE];
  return [
    title,
    ratioWords(found),
    verdict(found),
    bytes(look, match, pictures),
    psnr(look, match, pictures),
  ];
}

function both(look: Look, { now, before }: Match, pictures: PictureInfo[]): [Measurement, Measurement][] {
  return pictures.flatMap((picture): [Measurement, Measurement][] => {
    const [a, b] = [look.of(now, picture), look.of(before, picture)];
    return a === undefined || b === undefined ? [] : [[a, b]];
  });
}

function bytes(look: Look, match: Match, pictures: PictureInfo[]): string {
  const pairs = both(look, match, pictures);
  const now = pairs.reduce((sum, [one]) => sum + one.bytes, 0);
  const before = pairs.reduce((sum, [, one]) => sum + one.bytes, 0);
  return now === before ? 'same' : `× ${(now / before).toFixed(3)}`;
}

function psnr(look: Look, match: Match, pictures: PictureInfo[]): string {
  const gains = both(look, match, pictures).flatMap(([now, before]) =>
    now.psnr === undefined || before.psnr === undefined ? [] : [now.psnr - before.psnr],
  );
  if (gains.length === 0) return NONE;
  const gain = gains.reduce((sum, one) => sum + one, 0) / gains.length;
  return gain === 0 ? 'same' : `${gain > 0 ? '+' : '−'}${digits(Math.abs(gain))}`;
}

function plot(look: Look, { now, before }: Match) {
  const points = look.results.pictures.flatMap((picture): RowPoint[] => {
    const found = look.ratio(now, before, [picture]);
    return found === undefined ? [] : [{ series: now.name, group: picture.name, ...found }];
  });
  return rows(points, { title: '× the time before', isLog: true, reference: 1 });
}
