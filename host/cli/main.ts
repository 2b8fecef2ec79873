#!/usr/bin/env node
// The command line `tracesmith`.
import { constants } from 'node:os';
import { init, version } from 'tracesmith-wasm';
import { readSome, SettingError } from '../config/settings.ts';
import type { EngineName } from '../tracing/job.ts';
import { traceAll } from './batch.ts';
import { type Command, parseCommand } from './command.ts';
import { findEngine } from './engine.ts';
import { removeDrafts } from './files.ts';
import { helpText } from './help.ts';
import { findPictures, STREAM } from './inputs.ts';
import { planDrawings } from './outputs.ts';
import { UsageError } from './parse-args.ts';
import { printable, Report } from './report.ts';
import { LIMITS, Tracer } from './tracer.ts';

const FAILED = 1;
const MISUSED = 2;
/** By custom, a process that a signal ended has 128 and the signal's number. */
const SIGNALLED = 128;
const SIGPIPE = 13;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  // For the version and the options; pictures are traced on other threads.
  await init(undefined, { warmMs: 0 });
  if (command === 'help') return print(helpText());
  if (command === 'version') return print(`tracesmith ${version()}\n`);
  return run(command);
}

/** The command as the list of its steps. */
async function run(command: Command): Promise<number> {
  const { inputs, options, existing, isQuiet } = command;
  if (inputs.length === 0) throw new UsageError('Name a picture, a folder, or - for stdin.');
  const { workers, ...limits } = readSome([...LIMITS, 'workers']);
  const found = await findPictures(inputs);
  const tasks = await planDrawings(found, command);
  refuseMixedOutput(command, tasks[0]?.to);
  const engine = await findEngine(command.engine);
  const jobs = Math.max(1, Math.min(command.jobs ?? workers, tasks.length));
  const report = new Report(tasks, found, { isQuiet, stream: process.stderr });
  const finish = (exitCode: number) => finishWith(report, { command, engine, jobs, exitCode });
  endOnSignal(finish);
  if (tasks.length > 0) {
    const tracer = new Tracer({ limits, options, existing, engine, jobs });
    await traceAll(tasks, tracer, jobs, (index, result) => report.tell(index, result));
    await tracer.close();
  }
  const { traced, kept, failed } = report.totals();
  if (traced + kept + failed === 0) process.stderr.write('There are no pictures in what was named.\n');
  const exitCode = failed > 0 || traced + kept === 0 ? FAILED : 0;
  finish(exitCode);
  return exitCode;
}

function refuseMixedOutput({ isJson, inputs }: Command, to: string | undefined): void {
  if (inputs[0] === STREAM && process.stdin.isTTY)
    throw new UsageError('stdin is a terminal; send a picture to it by < or |.');
  if (isJson && to === STREAM) throw new UsageError('The drawing and --json would both go to stdout.');
}

interface Ending {
  command: Command;
  engine: EngineName;
  jobs: number;
  exitCode: number;
}

function finishWith(report: Report, { command, engine, jobs, exitCode }: Ending): void {
  report.end();
  if (!command.isJson) return;
  const { options } = command;
  const head = { version: version(), engine, jobs, options, exitCode, totals: report.totals() };
  print(`${JSON.stringify({ ...head, files: report.records() }, undefined, 2)}\n`);
}

/** Leaves nothing half written, tells what is finished, and dies of the signal, so that a shell's loop ends too. */
function endOnSignal(finish: (exitCode: number) => void): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      removeDrafts();
      finish(SIGNALLED + constants.signals[signal]);
      // Not process.exit(), which waits until threads come out of native code.
      process.stdout.write('', () => {
        removeDrafts();
        process.kill(process.pid, signal);
      });
    });
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  removeDrafts();
  if (error.code === 'EPIPE') process.exit(SIGNALLED + SIGPIPE);
  process.stderr.write(`stdout: ${error.message}\n`);
  process.exit(FAILED);
});
// Nobody listens any more; the work is still wanted.
process.stderr.on('error', () => {});

try {
  process.exitCode = await main();
} catch (error) {
  const isMisuse = error instanceof UsageError || error instanceof SettingError;
  if (!isMisuse) throw error;
  process.stderr.write(`${printable(error.message)}\nTry tracesmith --help.\n`);
  process.exitCode = MISUSED;
}
