// Times the engine beside other tracers: npm run bench -- --help
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { main, output, say } from '../lib/command.ts';
import { type Command, readCommand } from './arguments.ts';
import { drawnPictures, picturesIn } from './core/pictures.ts';
import { REQUEST_EFFORTS, START_PROCESSES } from './core/plan.ts';
import type { Results } from './core/results.ts';
import type { Contender } from './engines/contender.ts';
import { addFormations } from './engines/formations.ts';
import { installJudge } from './engines/judge.ts';
import { contendersOf, ensureEngine } from './engines/list.ts';
import { installPeers } from './engines/peers.ts';
import { runAll } from './engines/run.ts';
import { load, save } from './engines/saved-builds.ts';
import { writeReport } from './report/write.ts';
import { measureRequests } from './requests/measure.ts';
import { measureStarts } from './starts/measure.ts';

async function bench(command: Command): Promise<void> {
  const { compare, save: name, out: folder, parts } = command;
  const saved = compare === undefined ? undefined : load(compare);
  const results: Results = {
    ...conditions(command),
    contenders: [],
    pictures: [],
    measurements: [],
    gaps: [],
  };
  const engine = await ensureEngine(command.asBuilt, results.gaps);
  const ours = contendersOf(engine);
  const before = saved === undefined ? [] : contendersOf(saved, compare);
  if (parts.includes('engine')) await measureEngines(command, [...ours, ...before], results);
  if (parts.includes('requests')) {
    say('The service, under load on this machine');
    results.requests = await measureRequests(REQUEST_EFFORTS[command.mode]);
  }
  if (parts.includes('starts')) {
    say('The first images in new processes');
    results.starts = await measureStarts(engine.wasm, START_PROCESSES[command.mode], results.gaps);
  }
  // A form that only one of the engines has cannot be compared.
  const matches = ours.flatMap((now) => {
    const earlier = before.find(({ id }) => id.startsWith(`${now.id}@`));
    return earlier === undefined ? [] : [{ now, before: earlier }];
  });
  await writeReport(results, folder, compare === undefined ? undefined : { name: compare, matches });
  if (name !== undefined) save(name, engine, results);
  for (const { what, why } of results.gaps) console.log(`not measured: ${what}: ${why}`);
  console.log(`\nThe report is ${join(folder, 'report.html')}, and report.md beside it.`);
}

function conditions({ mode }: Command) {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = processors[0]?.model.trim();
  return {
    date: new Date().toISOString().slice(0, 16),
    machine: `${processors.length} × ${model}, ${memory} GiB, ${process.platform}, Node.js ${process.version}.`,
    commit: output('git', ['describe', '--always', '--dirty']) ?? 'unknown',
    mode,
  };
}

async function measureEngines(command: Command, ours: Contender[], results: Results): Promise<void> {
  const { effort, mode, only, colorMode, pictures: folder } = command;
  const contenders = [...ours, ...installPeers(command.peers, results.gaps)];
  const judge = mode === 'smoke' ? undefined : installJudge(results.gaps);
  const pictures =
    folder === undefined ? drawnPictures(only, effort.sizes) : await picturesIn(folder, colorMode);
  say(`${contenders.length} engines on ${pictures.length} pictures; processor time of one call, in ms`);
  results.contenders = contenders.map(({ id, name, about, isOurs }) => ({ id, name, about, isOurs }));
  results.pictures = pictures.map(({ scales: _, file: __, ...info }) => info);
  if (mode !== 'smoke') await addFormations(pictures, results);
  await runAll({ pictures, contenders, effort, judge }, results);
}

await main(() => bench(readCommand(process.argv.slice(2))));
