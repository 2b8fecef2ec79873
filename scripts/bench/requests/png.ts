import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { StepFailed } from '../../lib/command.ts';
import { drawnPictures } from '../core/pictures.ts';

/** Draws a picture as a PNG file; resolves with its path. */
export async function pngOf(kind: string, side: number): Promise<string> {
  const [picture] = drawnPictures([kind], [side]);
  if (picture === undefined) throw new StepFailed(`there is no kind of picture with the name ${kind}`);
  const rgbaFile = await picture.file();
  const pngFile = rgbaFile.replace(/rgba$/, 'png');
  const raw = { width: side, height: side, channels: 4 } as const;
  await sharp(readFileSync(rgbaFile), { raw }).toFile(pngFile);
  return pngFile;
}
