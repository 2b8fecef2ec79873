import type { ContenderInfo } from '../core/results.ts';
import { bars } from '../plot/plots.ts';
import type { Look } from './look.ts';
import { type Block, figure, paragraph, type Section, table } from './model.ts';
import { digits, NONE } from './words.ts';

/** How our engine's time divides among its stages; nothing where it does not tell. */
export function stages(look: Look): Section[] {
  const tellers = look.contenders.filter((one) => names(look, one).length > 0);
  if (tellers.length === 0) return [];
  const intro = paragraph(
    'Processor time between the beginnings of the stages, as an observer of the trace sees them, once everything is compiled. The stages are those that docs/architecture.md describes; “outline” and “place” count as one.',
  );
  return [{ title: 'Stages', blocks: [intro, ...tellers.flatMap((one) => blocksOf(look, one))] }];
}

/** In the order in which they were seen first. */
function names(look: Look, contender: ContenderInfo): string[] {
  const found = look.results.pictures.flatMap((picture) =>
    Object.keys(look.of(contender, picture)?.stagesMs ?? {}),
  );
  return [...new Set(found)];
}

function blocksOf(look: Look, contender: ContenderInfo): Block[] {
  const stageNames = names(look, contender);
  const seen = look.results.pictures.flatMap((picture) => {
    const stagesMs = look.of(contender, picture)?.stagesMs;
    return stagesMs === undefined ? [] : [{ title: picture.name, stagesMs }];
  });
  const points = seen.flatMap(({ title, stagesMs }) => {
    const total = Object.values(stagesMs).reduce((sum, ms) => sum + ms, 0);
    return stageNames.map((series) => ({
      series,
      group: title,
      value: (100 * (stagesMs[series] ?? 0)) / total,
    }));
  });
  const rows = seen.map(({ title, stagesMs }) => [
    title,
    ...stageNames.map((name) => (stagesMs[name] === undefined ? NONE : digits(stagesMs[name]))),
  ]);
  const label = `Stages of ${contender.name}`;
  return [
    figure(
      `stages-${contender.id}`,
      bars(points, '% of a trace'),
      `${label}: parts of a trace’s processor time.`,
    ),
    table([`${contender.name}, ms`, ...stageNames], rows),
  ];
}
