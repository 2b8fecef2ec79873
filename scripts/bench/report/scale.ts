// Cost over the size of the picture, in figures, and what more cores bring.
import type { ContenderInfo, Measurement, PictureInfo } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import type { Look } from './look.ts';
import { type Block, paragraph, type Section, table } from './model.ts';
import { digits, megapixels, NONE } from './words.ts';

/** About a megapixel and sixteen: sides of 1,024 and 4,096 px. */
const MIDDLE_PX = 1024 ** 2;
const LARGE_PX = 4096 ** 2;

interface Quantity {
  name: string;
  of(measurement: Measurement): number | undefined;
}

const TIME: Quantity = { name: 'ns of processor time a pixel', of: ({ cpuMs }) => median(cpuMs) * 1e6 };
const MEMORY: Quantity = {
  name: 'bytes of WebAssembly memory a pixel',
  of: ({ engineBytes }) => engineBytes,
};

/** Time and WebAssembly memory of ours for a pixel, by size. */
export function costBySize(look: Look): Block[] {
  const sizes = [...new Set(look.results.pictures.map(pixels))].sort((a, b) => a - b);
  // Drawn pictures have every size of every kind; somebody's own need not.
  if (sizes.length < 2 || look.results.pictures.length !== sizes.length * look.kinds.length) return [];
  const ours = look.contenders.filter(({ isOurs }) => isOurs);
  const tables = [TIME, MEMORY].flatMap((quantity) =>
    ours.flatMap((contender) => tableOf(look, quantity, contender, sizes)),
  );
  const meaning =
    'The same in figures, for ours. The last column is what the largest size takes for a pixel, as a multiple of what a megapixel does.';
  return [paragraph(meaning), ...tables];
}

function tableOf(look: Look, { name, of }: Quantity, contender: ContenderInfo, sizes: number[]): Block[] {
  const rows = look.kinds.map((kind) => {
    const perPixel = sizes.map((size) => {
      const picture = look.picturesOf(kind).find((one) => pixels(one) === size);
      const measurement = picture && look.of(contender, picture);
      const value = measurement && of(measurement);
      return value === undefined ? undefined : value / size;
    });
    const at = (size: number) => perPixel[sizes.indexOf(size)];
    const [middle, large] = [at(MIDDLE_PX), at(LARGE_PX)];
    const growth = middle === undefined || large === undefined ? NONE : digits(large / middle);
    return [kind, ...perPixel.map(digits), growth];
  });
  if (rows.every((row) => row.slice(1).every((cell) => cell === NONE))) return [];
  const head = sizes.map((size) => `${digits(size / 1e6)} MP`);
  return [table([`${contender.name}, ${name}`, ...head, '16.8 ÷ 1.05 MP'], rows)];
}

const pixels = ({ width, height }: PictureInfo) => width * height;

/** Wall time on one core as a multiple of that on all; nothing where nobody ran on all. */
export function cores(look: Look): Section[] {
  const [one, all] = ['ours-native', 'ours-threads'].map((id) =>
    look.contenders.find((contender) => contender.id === id),
  );
  if (one === undefined || all === undefined) return [];
  const rows = look.results.pictures.flatMap((picture) => {
    const [alone, together] = [look.of(one, picture), look.of(all, picture)];
    if (alone === undefined || together === undefined) return [];
    const [before, after] = [median(alone.wallMs), median(together.wallMs)];
    const cpu = median(together.cpuMs) / median(alone.cpuMs);
    const size = digits(megapixels(picture));
    return [[picture.name, size, digits(before), digits(after), digits(before / after), digits(cpu)]];
  });
  const head = ['picture', 'MP', 'one core, ms', 'all cores, ms', 'times as fast', 'processor time, ×'];
  const meaning =
    'Wall time, which is what more cores save; so it holds only where the machine had nothing else to do. The drawings are the same.';
  return [{ title: 'Cores', blocks: [paragraph(meaning), table(head, rows)] }];
}
