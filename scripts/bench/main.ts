// Times the engine, beside other tracers: npm run bench -- --help
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { output, root, StepFailed, say } from '../lib/command.ts';
import { type Command, HELP, readCommand } from './arguments.ts';
import { reportFolder } from './core/paths.ts';
import { drawnPictures, type Picture, picturesIn } from './core/pictures.ts';
import type { Gap, Results } from './core/results.ts';
import type { Contender } from './engines/contender.ts';
import { Judge } from './engines/judge.ts';
import { contendersOf, type Engine, ensureEngine } from './engines/list.ts';
import { installPeers } from './engines/peers.ts';
import { runAll } from './engines/run.ts';
import { load, save } from './engines/saved-builds.ts';
import type { Match } from './report/comparison.ts';
import { reportOf } from './report/report.ts';
import { writeReport } from './report/write.ts';
import { measureRequests } from './requests/measure.ts';
import { REQUEST_EFFORTS } from './requests/plan.ts';

async function bench(command: Command): Promise<void> {
  const { compare } = command;
  const saved = compare === undefined ? undefined : load(compare);
  const { engine, gaps } = ensureEngine(command.asBuilt);
  const ours = contendersOf(engine);
  const before = saved === undefined ? [] : contendersOf(saved.engine, compare);
  const results = emptyResults(command, gaps);
  if (command.parts.includes('engine')) await measureEngines(command, [...ours, ...before], results);
  if (command.parts.includes('requests')) {
    say('The service, called on this machine');
    results.requests = await measureRequests(REQUEST_EFFORTS[command.mode]);
  }
  await report(command, results, matchesOf(ours, before), engine);
}

async function measureEngines(command: Command, ours: Contender[], results: Results): Promise<void> {
  const { effort } = command;
  const peers = installPeers(command.peers);
  const judge = command.mode === 'smoke' ? undefined : Judge.hire();
  const pictures = await picturesOf(command);
  const contenders = [...ours, ...peers.contenders];
  say(`${contenders.length} engines on ${pictures.length} pictures; CPU time of one call, in ms`);
  const outcome = await runAll({
    pictures,
    contenders,
    effort,
    ...(judge instanceof Judge ? { judge } : {}),
  });
  results.contenders = contenders.map(({ id, name, about, isOurs }) => ({ id, name, about, isOurs }));
  results.pictures = pictures.map(({ kind, name, mode, width, height }) => ({
    kind,
    name,
    mode,
    width,
    height,
  }));
  results.measurements = outcome.measurements;
  results.gaps.push(
    ...peers.gaps,
    ...(judge === undefined || judge instanceof Judge ? [] : [judge]),
    ...outcome.gaps,
  );
}

function picturesOf({ pictures, colorMode, kinds, effort }: Command): Picture[] | Promise<Picture[]> {
  return pictures === undefined
    ? drawnPictures(kinds, effort.sizes)
    : picturesIn(pictures, colorMode ?? 'color');
}

function emptyResults({ mode }: Command, gaps: Gap[]): Results {
  const cpu = cpus();
  return {
    format: 1,
    date: new Date().toISOString().slice(0, 16),
    machine: `${cpu.length} × ${cpu[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node.js ${process.version}.`,
    commit: output('git', ['describe', '--always', '--dirty'], { cwd: root }) ?? 'unknown',
    mode,
    contenders: [],
    pictures: [],
    measurements: [],
    gaps,
  };
}

/** The same form of two engines; a form that only one of them has cannot be compared. */
function matchesOf(ours: Contender[], before: Contender[]): Match[] {
  return ours.flatMap((now) => {
    const earlier = before.find(({ id }) => id.startsWith(`${now.id}@`));
    return earlier === undefined ? [] : [{ now, before: earlier }];
  });
}

async function report(
  { save: name, compare, out }: Command,
  results: Results,
  matches: Match[],
  engine: Engine,
): Promise<void> {
  const folder = out ?? reportFolder;
  await writeReport(
    reportOf(results, compare === undefined ? undefined : { name: compare, matches }),
    results,
    folder,
  );
  if (name !== undefined) save(name, engine, results);
  for (const { what, why } of results.gaps) console.log(`not measured: ${what}: ${why}`);
  console.log(`\n${join(folder, 'report.html')} and report.md are the report.`);
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command === 'help') console.log(HELP);
  else await bench(command);
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(`\n✗ ${error.message}`);
  process.exitCode = 1;
}
