import type { ContenderInfo, PictureInfo } from '../core/results.ts';
import { geometricMean, mean } from '../core/statistics.ts';
import { rows } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, digits, figure, fixed, table } from './model.ts';

/** A property of a measurement, and how to show it. */
interface Measure {
  label: string;
  value: 'psnr' | 'ssim' | 'bytes';
  average(values: readonly number[]): number;
  format(value: number | undefined): string;
}

const PSNR: Measure = { label: 'PSNR', value: 'psnr', average: mean, format: (dB) => fixed(dB, 1) };
const SSIM: Measure = { label: 'SSIM', value: 'ssim', average: mean, format: (share) => fixed(share, 3) };
const BYTES: Measure = { label: 'bytes', value: 'bytes', average: geometricMean, format: digits };

/** How close the SVGs are to the pictures, and how large. */
export function fidelity(look: Look): Block[] {
  const body = look.kinds.flatMap((kind) =>
    [PSNR, SSIM, BYTES].map((measure) => {
      const averages = averagesOf(look, kind, measure);
      return [
        `${kind}, ${measure.label}`,
        ...look.contenders.map((one) => measure.format(averages.get(one))),
      ];
    }),
  );
  return [
    '## Fidelity and size',
    'Means over the pictures that all engines in the row finished. PSNR and SSIM compare the SVG, rendered at the size of the picture over white, with the picture: higher is closer. Size is that of the SVG in bytes.',
    table(['', ...look.names], body),
    figure(
      'psnr',
      rows(points(look, PSNR), { title: 'dB', series: look.names }),
      'PSNR by kind of picture: further right is closer to the picture.',
    ),
    figure(
      'bytes',
      rows(points(look, BYTES), { title: 'bytes', series: look.names, isLog: true }),
      'Size of the SVG by kind of picture: further left is smaller.',
    ),
  ];
}

/** Over the pictures that every engine finished: an engine must not gain by failing on hard ones. */
function averagesOf(look: Look, kind: string, { value, average }: Measure): Map<ContenderInfo, number> {
  const seen = (contender: ContenderInfo, picture: PictureInfo) => look.of(contender, picture)?.[value];
  const pictures = look.picturesOf(kind);
  const present = look.contenders.filter((one) =>
    pictures.some((picture) => seen(one, picture) !== undefined),
  );
  const common = pictures.filter((picture) => present.every((one) => seen(one, picture) !== undefined));
  if (common.length === 0) return new Map();
  return new Map(present.map((one) => [one, average(common.map((picture) => seen(one, picture) as number))]));
}

function points(look: Look, measure: Measure) {
  return look.kinds.flatMap((group) =>
    Array.from(averagesOf(look, group, measure), ([{ name }, value]) => ({ series: name, group, value })),
  );
}
