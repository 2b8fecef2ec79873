import type { Look } from './look.ts';
import { type Block, table } from './model.ts';

/** What a picture as a program drew it may have: few colors, and pixels that were set by hand. */
const OF_CLEAN = /^(clean|\d+ colors|pixel art)$/;

/** What the engine believes of how the pictures were made; empty if it was not asked. */
export function formations(look: Look): Block[] {
  const known = look.results.pictures.flatMap(({ name, formation }) =>
    formation === undefined ? [] : [{ name, formation }],
  );
  if (known.length === 0) return [];
  const worn = known.filter(({ formation }) => !formation.split('; ').every((part) => OF_CLEAN.test(part)));
  return [
    '## Formation',
    'What the engine believes of how each picture was made, and undoes before it traces. Pictures as a program drew them should be `clean`, but for a small number of colors.',
    `Of ${known.length} pictures, ${worn.length} are believed to be worn.`,
    table(
      ['', 'believed'],
      known.map(({ name, formation }) => [name, formation]),
    ),
  ];
}
