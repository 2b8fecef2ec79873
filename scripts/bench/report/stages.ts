import type { ContenderInfo } from '../core/results.ts';
import { bars } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, digits, figure, table } from './model.ts';

/** How our engine's time divides among its stages; empty if it does not report them. */
export function stages(look: Look): Block[] {
  const blocks = look.contenders.flatMap((one) => blocksOf(look, one));
  if (blocks.length === 0) return [];
  const intro =
    'Processor time from the start of a stage to the start of the next, in warm calls. docs/architecture.md describes the stages; “outline” and “place” count as one.';
  return ['## Stages', intro, ...blocks];
}

function blocksOf(look: Look, contender: ContenderInfo) {
  const seen = look.results.pictures.flatMap((picture) => {
    const stagesMs = look.of(contender, picture)?.stagesMs;
    return stagesMs === undefined ? [] : [{ title: picture.name, stagesMs }];
  });
  // In the order of the pipeline, as far as pictures go through all of it.
  const names = [...new Set(seen.flatMap(({ stagesMs }) => Object.keys(stagesMs)))];
  if (names.length === 0) return [];
  const points = seen.flatMap(({ title, stagesMs }) => {
    const total = Object.values(stagesMs).reduce((sum, ms) => sum + ms, 0);
    return names.map((series) => ({ series, group: title, value: (100 * (stagesMs[series] ?? 0)) / total }));
  });
  return [
    figure(`stages-${contender.id}`, bars(points, '% of a trace'), `${contender.name}: time of each stage.`),
    table(
      [`${contender.name}, ms`, ...names],
      seen.map(({ title, stagesMs }) => [title, ...names.map((name) => digits(stagesMs[name]))]),
    ),
  ];
}
