import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeBmp, init, type Options, trace } from 'tracesmith-wasm';
import { decode, identify, measure } from '../decode.ts';
import { readSettings, type Settings } from '../settings.ts';
import { helpText, parseCommand, type Task } from './arguments.ts';
import { UsageError } from './usage.ts';

const FAILED = 1;
const MISUSED = 2;

/** Traces the pictures named on the command line, one after the other; a failure does not stop the rest. */
async function main(): Promise<number> {
  await init();
  const command = parseCommand(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(helpText());
    return 0;
  }
  const settings = readSettings();
  let failures = 0;
  for (const [index, task] of command.tasks.entries()) {
    const place = `[${index + 1}/${command.tasks.length}] ${task.from}`;
    const line = await traceFile(task, command.options, settings).catch((error: unknown) => {
      failures++;
      return `failed: ${error instanceof Error ? error.message : String(error)}`;
    });
    process.stderr.write(`${place} ${line}\n`);
  }
  return failures === 0 ? 0 : FAILED;
}

/** Reads, decodes, traces and writes one picture; returns what to say of it. */
async function traceFile({ from, to }: Task, options: Options, settings: Settings): Promise<string> {
  const start = performance.now();
  const file = await readFile(from);
  const svg = await trace(await readPicture(file, settings), options);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, svg);
  return `→ ${to} (${Buffer.byteLength(svg)} bytes, ${Math.round(performance.now() - start)} ms)`;
}

async function readPicture(file: Buffer, settings: Settings) {
  const format = identify(file);
  await measure(file, format, settings);
  if (format !== 'bmp') return decode(file, settings, settings.processingTimeoutMs);
  return decodeBmp(file, { maxPixels: settings.maxPixels, maxSide: settings.maxSidePx });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\nTry --help.\n` : `${error.message}\n`,
  );
  process.exitCode = MISUSED;
}
