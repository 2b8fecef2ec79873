import type { Look } from './look.ts';
import { type Block, table } from './model.ts';

/** What the engine believes of how the pictures were made; empty if it was not asked. */
export function formations(look: Look): Block[] {
  const rows = look.results.pictures.flatMap(({ name, formation }) =>
    formation === undefined ? [] : [[name, formation]],
  );
  if (rows.length === 0) return [];
  return [
    '## Formation',
    'What the engine believes of how each picture was made, and undoes before it traces. Pictures as a program drew them should be `clean`, but for a small number of colors.',
    table(['', 'believed'], rows),
  ];
}
