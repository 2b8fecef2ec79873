import { output, root } from '../../lib/command.ts';
import type { Picture } from '../core/pictures.ts';
import type { Results } from '../core/results.ts';

/** Adds to each picture in color what the engine believes of how it was made, or a gap. */
export async function addFormations(pictures: Picture[], results: Results): Promise<void> {
  const inColor = pictures.filter(({ mode }) => mode === 'color');
  const files: string[] = [];
  for (const picture of inColor)
    files.push(await picture.file(), String(picture.width), String(picture.height));
  const example = ['run', '--release', '--quiet', '--package', 'tracesmith', '--example', 'formation', '--'];
  const lines = output('cargo', [...example, ...files], { cwd: root })?.split('\n') ?? [];
  if (lines.length !== inColor.length) {
    results.gaps.push({
      what: 'what the engine believes of the pictures',
      why: 'cargo is missing, or failed',
    });
    return;
  }
  for (const [index, formation] of lines.entries()) {
    const picture = results.pictures.find(({ name }) => name === inColor[index]?.name);
    if (picture !== undefined) picture.formation = formation;
  }
}
