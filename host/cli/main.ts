#!/usr/bin/env node
// The command line `tracesmith`.
import { constants } from 'node:os';
import { init, version } from 'tracesmith-wasm';
import { checkThreads, readSome, SettingError } from '../config/settings.ts';
import type { EngineName } from '../tracing/job.ts';
import { type Tracer, traceAll } from './batch.ts';
import { type Command, parseCommand } from './command.ts';
import { findEngine } from './engine.ts';
import { FileTracer, LIMITS, type Limits } from './file-tracer.ts';
import { removeTemporaryFiles } from './files.ts';
import { helpText } from './help.ts';
import { findImages, STREAM } from './inputs.ts';
import { planOutputs } from './outputs.ts';
import { UsageError } from './parse-args.ts';
import { readApiKey } from './remote/api-key.ts';
import { RemoteTracer } from './remote/remote-tracer.ts';
import { printable, Report } from './report/report.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
/** By convention, the exit code after a signal is 128 plus its number. */
const EXIT_SIGNAL = 128;
const SIGPIPE = 13;
/** Uploads, queues and responses of some images overlap with the tracing of others. */
const JOBS_PER_HOST = 4;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  // For the version and the option table; images are traced on other threads.
  await init();
  if (command === 'help') return print(helpText());
  if (command === 'version') return print(`tracesmith ${version()}\n`);
  return run(command);
}

/** Runs a command and returns the exit code. */
async function run(command: Command): Promise<number> {
  const { isQuiet } = command;
  if (command.inputs.length === 0) throw new UsageError('No input. Pass an image, a folder, or - for stdin.');
  const { workers, ...limits } = readSome([...LIMITS, 'workers']);
  checkThreads();
  const inputs = await findImages(command.inputs);
  const tasks = await planOutputs(inputs, command);
  checkStreams(command, tasks[0]?.to);
  const defaultJobs = command.remote === undefined ? workers : JOBS_PER_HOST * command.remote.hosts.length;
  const jobs = Math.max(1, Math.min(command.jobs ?? defaultJobs, tasks.length));
  const report = new Report(tasks, inputs, { isQuiet, stream: process.stderr });
  const { engine, createTracer } = await findTracer(command, { limits, jobs, report });
  const finish = (exitCode: number) => finishReport(report, { command, engine, jobs, exitCode });
  finishOnSignal(finish);
  if (tasks.length > 0) {
    const tracer = createTracer();
    await traceAll(tasks, tracer, jobs, (index, result) => report.add(index, result));
    await tracer.close();
  }
  const { traced, kept, failed } = report.totals();
  if (traced + kept + failed === 0) process.stderr.write('No images found in the given paths.\n');
  const exitCode = failed > 0 || traced + kept === 0 ? EXIT_FAILURE : 0;
  finish(exitCode);
  return exitCode;
}

interface Surroundings {
  limits: Limits;
  jobs: number;
  report: Report;
}

/** What will trace the images, and its name in the report. Throws `UsageError`. */
async function findTracer(
  { options, existing, remote, engine: choice }: Command,
  { limits, jobs, report }: Surroundings,
): Promise<{ engine: EngineName | 'remote'; createTracer: () => Tracer }> {
  if (remote !== undefined) {
    const key = await readApiKey(remote.keyFile);
    const note = (text: string) => report.note(text);
    const settings = { hosts: remote.hosts, key, options, existing, jobs, note };
    return { engine: 'remote', createTracer: () => new RemoteTracer(settings) };
  }
  const engine = await findEngine(choice);
  return { engine, createTracer: () => new FileTracer({ limits, options, existing, engine, jobs }) };
}

function checkStreams({ isJson, inputs }: Command, to: string | undefined): void {
  if (inputs[0] === STREAM && process.stdin.isTTY)
    throw new UsageError('stdin is a terminal. Redirect an image to it with < or |.');
  if (isJson && to === STREAM)
    throw new UsageError('The SVG and the --json report cannot both go to stdout.');
}

interface Ending {
  command: Command;
  engine: EngineName | 'remote';
  jobs: number;
  exitCode: number;
}

function finishReport(report: Report, { command, engine, jobs, exitCode }: Ending): void {
  report.end();
  if (!command.isJson) return;
  const { options } = command;
  const head = { version: version(), engine, jobs, options, exitCode, totals: report.totals() };
  print(`${JSON.stringify({ ...head, files: report.records() }, undefined, 2)}\n`);
}

/** Deletes unfinished files, prints the report and exits with the same signal, so that a shell script stops as well. */
function finishOnSignal(finish: (exitCode: number) => void): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      removeTemporaryFiles();
      finish(EXIT_SIGNAL + constants.signals[signal]);
      // process.exit() would wait for threads that run native code.
      process.stdout.write('', () => {
        removeTemporaryFiles();
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
  removeTemporaryFiles();
  if (error.code === 'EPIPE') process.exit(EXIT_SIGNAL + SIGPIPE);
  process.stderr.write(`stdout: ${error.message}\n`);
  process.exit(EXIT_FAILURE);
});
// stderr was closed; the work continues.
process.stderr.on('error', () => {});

try {
  process.exitCode = await main();
} catch (error) {
  const isUsageError = error instanceof UsageError || error instanceof SettingError;
  if (!isUsageError) throw error;
  process.stderr.write(`${printable(error.message)}\nTry tracesmith --help.\n`);
  process.exitCode = EXIT_USAGE;
}
