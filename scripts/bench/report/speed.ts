import type { ContenderInfo } from '../core/results.ts';
import { median, quantile } from '../core/statistics.ts';
import { panels } from '../plot/panels.ts';
import { type Row, rows } from '../plot/rows.ts';
import type { Look } from './look.ts';
import { type Block, figure, paragraph, type Section, table } from './model.ts';
import { costBySize } from './scale.ts';
import { digits, megapixels, NONE, ratioWords } from './words.ts';

/** Time of the peers as multiples of ours. */
export function summary(look: Look): Section {
  const ours = look.contenders.filter(({ isOurs }) => isOurs);
  const peers = look.contenders.filter(({ isOurs }) => !isOurs);
  const blocks: Block[] = [
    paragraph(
      'Processor time of ours as a multiple of the peer’s: below 1, ours is faster. Geometric means over the pictures that both finished; in brackets, and as bars in the plot, where the ratio lies, with 99 % confidence, as far as the machine’s noise goes.',
    ),
  ];
  for (const one of ours) {
    const cells = (peer: ContenderInfo) =>
      look.kinds.map((kind) => digits(look.ratio(one, peer, look.picturesOf(kind))?.value));
    const all = (peer: ContenderInfo) => ratioWords(look.ratio(one, peer, look.results.pictures));
    blocks.push(
      table(
        [`${one.name} ÷`, 'all', ...look.kinds],
        peers.map((peer) => [peer.name, all(peer), ...cells(peer)]),
      ),
    );
  }
  const [first] = ours;
  if (first !== undefined && peers.length > 0) blocks.push(summaryFigure(look, first, peers));
  return { title: 'Speed at a glance', blocks };
}

function summaryFigure(look: Look, one: ContenderInfo, peers: ContenderInfo[]): Block {
  const list = ['all', ...look.kinds].map((kind): Row => {
    const pictures = kind === 'all' ? look.results.pictures : look.picturesOf(kind);
    const dots = peers.flatMap((peer) => {
      const found = look.ratio(one, peer, pictures);
      return found === undefined ? [] : [{ series: look.series(peer), name: peer.name, ...found }];
    });
    return { title: kind, dots };
  });
  const axis = {
    label: `Time of ${one.name} as a multiple of others`,
    unit: '× the peer’s time',
    isLog: true,
    reference: 1,
    hasLegend: true,
  };
  return figure(
    'ratios',
    rows(list, axis),
    `Time of ${one.name} as a multiple of each peer’s, by kind of picture; left of 1, ours is faster.`,
  );
}

/** Time and memory for a pixel, over the size of the picture. */
export function curves(look: Look): Section {
  const time = panels(
    panelsOf(look, (one) => median(one.cpuMs) * 1e6),
    { label: 'Time for a pixel over the size of the picture', x: 'megapixels', y: 'ns a pixel' },
  );
  const memory = panels(
    panelsOf(look, (one) => one.addedBytes),
    { label: 'Memory for a pixel over the size of the picture', x: 'megapixels', y: 'bytes a pixel' },
  );
  return {
    title: 'Time and memory for a pixel',
    blocks: [
      paragraph(
        'A level curve means that cost grows with the pixels and no faster. Small pictures show what a call costs before it sees any pixel.',
      ),
      figure(
        'time-per-pixel',
        time,
        'Processor time for a pixel, in nanoseconds, over the size of the picture.',
      ),
      figure(
        'memory-per-pixel',
        memory,
        'Memory that the first call adds to its process at most, for a pixel, over the size of the picture.',
      ),
      ...costBySize(look),
    ],
  };
}

type Value = (one: NonNullable<ReturnType<Look['of']>>) => number;

function panelsOf(look: Look, value: Value) {
  return look.kinds.map((kind) => ({
    title: kind,
    curves: look.contenders.flatMap((contender) => {
      const points = look.picturesOf(kind).flatMap((picture) => {
        const one = look.of(contender, picture);
        const x = megapixels(picture);
        return one === undefined || value(one) <= 0 ? [] : [{ x, y: value(one) / (x * 1e6) }];
      });
      const { name, isOurs } = contender;
      return points.length === 0 ? [] : [{ series: look.series(contender), name, isOurs, points }];
    }),
  }));
}

/** The first call against later ones. */
export function firstCalls(look: Look): Section {
  const rowOf = (contender: ContenderInfo) => {
    const ratios = look.results.pictures.flatMap((picture) => {
      const one = look.of(contender, picture);
      return one === undefined || one.cpuMs.length < 2 ? [] : [one.firstWallMs / median(one.wallMs)];
    });
    if (ratios.length === 0) return [contender.name, NONE, NONE, NONE];
    return [contender.name, digits(median(ratios)), digits(Math.max(...ratios)), String(ratios.length)];
  };
  return {
    title: 'The first call',
    blocks: [
      paragraph(
        'How much longer the first call takes, in a process that has loaded the engine and traced nothing: wall time over the median of later calls of the same picture.',
      ),
      table(['', 'median', 'most', 'pictures'], look.contenders.map(rowOf)),
    ],
  };
}

/** Everything that was measured. */
export function everything(look: Look): Section {
  const head = [
    'picture',
    'engine',
    'CPU ms',
    'quartiles',
    'samples',
    'wall ms',
    'first ms',
    'bytes',
    'PSNR dB',
    'SSIM',
    'added B/px',
    'wasm B/px',
  ];
  const body = look.results.pictures.flatMap((picture) =>
    look.contenders.flatMap((contender) => {
      const one = look.of(contender, picture);
      if (one === undefined) return [];
      const perPixel = (bytes: number | undefined) =>
        digits(bytes === undefined ? undefined : bytes / (megapixels(picture) * 1e6));
      const quartiles = `${digits(quantile(one.cpuMs, 0.25))}–${digits(quantile(one.cpuMs, 0.75))}`;
      const times = [
        digits(median(one.cpuMs)),
        quartiles,
        String(one.cpuMs.length),
        digits(median(one.wallMs)),
        digits(one.firstWallMs),
      ];
      const likeness = [one.psnr?.toFixed(2) ?? NONE, one.ssim?.toFixed(4) ?? NONE];
      return [
        [
          picture.name,
          contender.name,
          ...times,
          one.bytes.toLocaleString('en-US'),
          ...likeness,
          perPixel(one.addedBytes),
          perPixel(one.engineBytes),
        ],
      ];
    }),
  );
  return { title: 'All figures', blocks: [table(head, body)] };
}
