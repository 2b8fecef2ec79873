import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { orMissing, replaceFile } from '../files/atomic-write.ts';
import { payloadTooLarge } from '../upload/multipart-parts.ts';
import { fileError } from './failure.ts';
import { STREAM } from './inputs.ts';

/** As other programs make files: whoever starts this one may narrow it. */
const PUBLIC_MODE = 0o666;

/** Those being written at the moment. */
const drafts = new Set<string>();

/** The whole of a file, a pipe or stdin, up to a size: what it claims to have is not believed. */
export async function readPicture(path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of path === STREAM ? process.stdin : createReadStream(path)) {
      length += chunk.length;
      if (length > maxBytes) throw payloadTooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : fileError('cannot_read', error);
  }
  return Buffer.concat(chunks);
}

/** Writes a drawing, and the folders it lies in. Whatever happens, no part of one stands under its name. */
export async function writeDrawing(path: string, svg: Uint8Array): Promise<void> {
  try {
    if (path === STREAM) await toStdout(svg);
    else await toFile(path, svg);
  } catch (error) {
    throw fileError('cannot_write', error);
  }
}

/** Removes what is half written, at once: the process is about to end. */
export function removeDrafts(): void {
  for (const draft of drafts) rmSync(draft, { force: true });
}

async function toFile(path: string, svg: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A file in the place of a link, a device or a pipe would not be what was asked for.
  const target = (await orMissing(realpath(path))) ?? path;
  const there = await orMissing(stat(target));
  if (there !== undefined && !there.isFile()) return writeFile(target, svg);
  // Not made from the drawing's name, which may be as long as a name can be.
  const draft = join(dirname(target), `.tracesmith-${randomBytes(8).toString('hex')}.tmp`);
  drafts.add(draft);
  try {
    await replaceFile(target, svg, { draft, mode: PUBLIC_MODE, isDurable: false });
  } finally {
    drafts.delete(draft);
  }
}

function toStdout(svg: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(svg, (error) => (error ? reject(error) : resolve()));
  });
}
