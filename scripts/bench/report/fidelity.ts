import type { ContenderInfo, Measurement, PictureInfo } from '../core/results.ts';
import { geometricMean, mean } from '../core/statistics.ts';
import { type Axis, rows } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { figure, paragraph, type Section, table } from './model.ts';
import { digits, fixed } from './words.ts';

/** How true the drawings are to the pictures, and how long. */
export function fidelity(look: Look): Section {
  const psnr = (one: Measurement) => one.psnr;
  const blocks = [
    paragraph(
      'Means over the pictures that all engines in the row finished. PSNR and SSIM: the drawing, rendered at the picture’s size over white, against the picture; higher is closer. Size: bytes of the drawing.',
    ),
    table(
      ['', ...look.contenders.map(({ name }) => name)],
      look.kinds.flatMap((kind) => kindRows(look, kind)),
    ),
    figure(
      'psnr',
      plot(look, psnr, mean, { title: 'dB' }),
      'PSNR by kind of picture: further right is closer to the picture.',
    ),
    figure(
      'bytes',
      plot(look, (one) => one.bytes, geometricMean, { title: 'bytes', isLog: true }),
      'Size of the drawing by kind of picture: further left is smaller.',
    ),
  ];
  return { title: 'Fidelity and size', blocks };
}

type Value = (one: Measurement) => number | undefined;
type Average = (values: readonly number[]) => number;

function kindRows(look: Look, kind: string): string[][] {
  const row = (
    label: string,
    value: Value,
    average: Average,
    word: (value: number | undefined) => string,
  ) => {
    const averages = averagesOf(look, kind, value, average);
    return [`${kind}, ${label}`, ...look.contenders.map((contender) => word(averages.get(contender)))];
  };
  return [
    row(
      'PSNR',
      (one) => one.psnr,
      mean,
      (value) => fixed(value, 1),
    ),
    row(
      'SSIM',
      (one) => one.ssim,
      mean,
      (value) => fixed(value, 3),
    ),
    row('bytes', (one) => one.bytes, geometricMean, digits),
  ];
}

/** Over the same pictures for all engines that finished any: an engine must not gain by failing on what is hard. */
function averagesOf(look: Look, kind: string, value: Value, average: Average): Map<ContenderInfo, number> {
  const seen = (contender: ContenderInfo, picture: PictureInfo) => {
    const one = look.of(contender, picture);
    return one === undefined ? undefined : value(one);
  };
  const pictures = look.picturesOf(kind);
  const present = look.contenders.filter((one) =>
    pictures.some((picture) => seen(one, picture) !== undefined),
  );
  const common = pictures.filter((picture) => present.every((one) => seen(one, picture) !== undefined));
  if (common.length === 0) return new Map();
  return new Map(present.map((one) => [one, average(common.map((picture) => seen(one, picture) as number))]));
}

function plot(look: Look, value: Value, average: Average, axis: Axis) {
  const points = look.kinds.flatMap((kind) =>
    [...averagesOf(look, kind, value, average)].map(([contender, found]) => ({
      series: contender.name,
      group: kind,
      value: found,
    })),
  );
  return rows(points, { ...axis, series: look.names });
}
