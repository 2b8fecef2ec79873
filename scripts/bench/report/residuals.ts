import type { ContenderInfo, Place } from '../core/results.ts';
import { mean } from '../core/statistics.ts';
import type { Look } from './look.ts';
import { type Block, digits, NONE, table } from './model.ts';

/** Where the SVGs lack what the pictures show; empty without a renderer. Pictures that are traced in black and white are left out. */
export function residuals(look: Look): Block[] {
  const pictures = look.results.pictures.filter(({ mode }) => mode === 'color');
  const residual = (one: ContenderInfo, picture: (typeof pictures)[number]) =>
    look.of(one, picture)?.residual;
  const present = look.contenders.filter((one) => pictures.some((picture) => residual(one, picture)));
  if (present.length === 0) return [];
  const percent = (shares: (number | undefined)[]) => {
    const known = shares.filter((share) => share !== undefined);
    return known.length === 0 ? NONE : digits(100 * mean(known));
  };
  const kinds = [...new Set(pictures.map(({ kind }) => kind))];
  const shares = kinds.flatMap((kind) => {
    const ofKind = pictures.filter((picture) => picture.kind === kind);
    const row = (name: string, some: typeof pictures) => [
      name,
      ...present.map((one) => percent(some.map((picture) => residual(one, picture)?.above))),
    ];
    return [row(`**${kind}**`, ofKind), ...ofKind.map((picture) => row(picture.name, [picture]))];
  });
  const worst = present
    .filter(({ isOurs }) => isOurs)
    .flatMap((one) =>
      pictures.map((picture) => [
        `${picture.name}, ${one.name}`,
        (residual(one, picture)?.worst ?? []).map(words).join('; ') || NONE,
      ]),
    );
  return [
    '## Residual',
    'The share of pixels, in percent, in which the picture differs from the rendered SVG by more than the noise; steps and patches that the default options ask to simplify do not count. Maps lie beside the drawings: docs/benchmarks.md.',
    table(['', ...present.map(({ name }) => name)], shares),
    'The worst places, as width × height at column, row, and the summed squares in variances of the noise.',
    table(['', 'worst places'], worst),
  ];
}

const words = ({ x, y, width, height, excess }: Place) =>
  `${width} × ${height} at ${x}, ${y}: ${digits(excess)}`;
