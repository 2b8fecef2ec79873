import type { ContenderInfo, Measurement } from '../core/results.ts';
import { median, quantile } from '../core/statistics.ts';
import { type Point, panels, rows } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, digits, figure, fixed, megapixels, ratioWords, table } from './model.ts';

/** Our time as a multiple of the peers'. */
export function summary(look: Look): Block[] {
  const ours = look.contenders.filter(({ isOurs }) => isOurs);
  const peers = look.contenders.filter(({ isOurs }) => !isOurs);
  const tables = ours.map((one) =>
    table(
      [`${one.name} ÷`, 'all', ...look.kinds],
      peers.map((peer) => [
        peer.name,
        ratioWords(look.ratio(one, peer, look.results.pictures)),
        ...look.kinds.map((kind) => digits(look.ratio(one, peer, look.picturesOf(kind))?.value)),
      ]),
    ),
  );
  return [
    '## Speed',
    'Processor time of our engine as a multiple of the peer’s: below 1, ours is faster. Geometric means over the pictures that both finished, with the 99 % interval of the machine’s noise.',
    ...tables,
    ...ours.slice(0, 1).map((one) => ratios(look, one, peers)),
  ];
}

function ratios(look: Look, one: ContenderInfo, peers: ContenderInfo[]) {
  const points = ['all', ...look.kinds].flatMap((kind) => {
    const pictures = kind === 'all' ? look.results.pictures : look.picturesOf(kind);
    return peers.flatMap((peer): Point[] => {
      const found = look.ratio(one, peer, pictures);
      return found === undefined ? [] : [{ series: peer.name, group: kind, ...found }];
    });
  });
  const axis = { title: '× the peer’s time', series: look.names, isLog: true, reference: 1 };
  const caption = `Time of ${one.name} as a multiple of each peer’s, by kind of picture; left of 1, ours is faster.`;
  return figure('ratios', rows(points, axis), caption);
}

/** Time and memory for each pixel, over the size of the picture. */
export function curves(look: Look): Block[] {
  const plot = (value: (one: Measurement) => number, title: string) =>
    panels(perPixel(look, value), 'megapixels', { title, series: look.names });
  return [
    '## Time and memory per pixel',
    'A level curve means that the cost grows with the number of pixels and no faster.',
    figure(
      'time-per-pixel',
      plot((one) => median(one.cpuMs) * 1e6, 'ns per pixel'),
      'Processor time per pixel over the size of the picture.',
    ),
    figure(
      'memory-per-pixel',
      plot((one) => one.addedBytes, 'bytes per pixel'),
      'Memory that the first call adds to its process, per pixel, over the size of the picture.',
    ),
  ];
}

function perPixel(look: Look, value: (one: Measurement) => number): Point[] {
  return look.results.pictures.flatMap((picture) =>
    look.contenders.flatMap((contender) => {
      const one = look.of(contender, picture);
      const x = megapixels(picture);
      if (one === undefined || value(one) <= 0) return [];
      return [{ series: contender.name, group: picture.kind, x, value: value(one) / (x * 1e6) }];
    }),
  );
}

/** Every measurement. */
export function everything(look: Look): Block[] {
  const times = ['CPU ms', 'quartiles', 'samples', 'wall ms', 'first ms'];
  const head = ['picture', 'engine', ...times, 'bytes', 'PSNR dB', 'SSIM', 'added B/px', 'wasm B/px'];
  const body = look.results.pictures.flatMap((picture) =>
    look.contenders.flatMap((contender) => {
      const one = look.of(contender, picture);
      if (one === undefined) return [];
      const pixels = megapixels(picture) * 1e6;
      return [
        [
          picture.name,
          contender.name,
          digits(median(one.cpuMs)),
          `${digits(quantile(one.cpuMs, 0.25))}–${digits(quantile(one.cpuMs, 0.75))}`,
          String(one.cpuMs.length),
          digits(median(one.wallMs)),
          digits(one.firstWallMs),
          one.bytes.toLocaleString('en-US'),
          fixed(one.psnr, 2),
          fixed(one.ssim, 4),
          digits(one.addedBytes / pixels),
          digits(one.engineBytes && one.engineBytes / pixels),
        ],
      ];
    }),
  );
  return ['## All measurements', table(head, body)];
}
