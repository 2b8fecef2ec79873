import type { ContenderInfo, Measurement } from '../core/results.ts';
import { median, quantile } from '../core/statistics.ts';
import { type CurvePoint, panels, type RowPoint, rows } from '../plot/plots.ts';
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
  const points = ['all', ...look.kinds].flatMap((kind) => {
    const pictures = kind === 'all' ? look.results.pictures : look.picturesOf(kind);
    return peers.flatMap((peer): RowPoint[] => {
      const found = look.ratio(one, peer, pictures);
      return found === undefined ? [] : [{ series: peer.name, group: kind, ...found }];
    });
  });
  const axis = { title: '× the peer’s time', series: look.names, isLog: true, reference: 1 };
  const caption = `Time of ${one.name} as a multiple of each peer’s, by kind of picture; left of 1, ours is faster.`;
  return figure('ratios', rows(points, axis), caption);
}

/** Time and memory for a pixel, over the size of the picture. */
export function curves(look: Look): Section {
  const time = plotPerPixel(look, (one) => median(one.cpuMs) * 1e6, 'ns a pixel');
  const memory = plotPerPixel(look, (one) => one.addedBytes, 'bytes a pixel');
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

function plotPerPixel(look: Look, value: (one: Measurement) => number, title: string) {
  const points = look.results.pictures.flatMap((picture) =>
    look.contenders.flatMap((contender): CurvePoint[] => {
      const one = look.of(contender, picture);
      const x = megapixels(picture);
      if (one === undefined || value(one) <= 0) return [];
      return [{ series: contender.name, group: picture.kind, x, value: value(one) / (x * 1e6) }];
    }),
  );
  return panels(points, 'megapixels', { title, series: look.names });
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
