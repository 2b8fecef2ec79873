// Measures how many requests the service answers, and what it adds to decoding and tracing, over the loopback interface.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { Service } from '../../../test/http/service.ts';
import { picturesFolder } from '../core/paths.ts';
import { drawnPictures } from '../core/pictures.ts';
import { Helper } from '../core/process.ts';
import type { Cell, Floor, RequestResults, Upload } from '../core/request-results.ts';
import { median } from '../core/statistics.ts';
import { load } from './load.ts';
import type { RequestEffort } from './plan.ts';

/** The kind of picture that services receive most. */
const KIND = 'logo';
/** The target duration of a sample without the service. */
const ALONE_MS = 300;
const HELPER_LIMIT_MS = 60_000;

interface File extends Upload {
  path: string;
}

/** The processes under test. */
interface Processes {
  /** Decodes and traces without a service. */
  alone: Helper;
  one: Service;
  two: Service;
}

export async function measureRequests(effort: RequestEffort): Promise<RequestResults> {
  const files = await Promise.all([...new Set([...effort.sides, effort.duel.side])].map(pngOf));
  const [one, two] = await Promise.all([serviceOf(1), serviceOf(2)]);
  const alone = helper('alone.ts');
  try {
    return await measure({ alone, one, two }, files, effort);
  } finally {
    alone.end();
    await Promise.all([one.stop(), two.stop()]);
  }
}

function helper(program: string): Helper {
  const file = fileURLToPath(new URL(program, import.meta.url));
  return new Helper(process.execPath, ['--import', 'tsx', file]);
}

/** A service with its default settings, logging included. */
function serviceOf(workers: number): Promise<Service> {
  return Service.start({ TRACESMITH_HOST: '127.0.0.1', TRACESMITH_WORKERS: String(workers) });
}

async function pngOf(side: number): Promise<File> {
  const [picture] = drawnPictures([KIND], [side]);
  const rgba = readFileSync(await (picture as NonNullable<typeof picture>).file());
  const png = await sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
  mkdirSync(picturesFolder, { recursive: true });
  const path = join(picturesFolder, `${KIND}-${side}.png`);
  writeFileSync(path, png);
  return { side, path, fileBytes: png.length };
}

async function measure(under: Processes, files: File[], effort: RequestEffort): Promise<RequestResults> {
  const floors: Floor[] = [];
  const cells: Cell[] = [];
  for (const file of files.filter(({ side }) => effort.sides.includes(side))) {
    const firstMs = await warm(under, file, effort);
    const floor: Floor = { side: file.side, aloneCpuMs: [], aloneWallMs: [], bareMs: [], firstMs };
    const own = effort.connections.map((connections) => emptyCell(file, connections, 2));
    const { bytes } = await traceAlone(under, file, 1);
    const calls = await callsFor(under, file);
    const bare = helper('bare.mjs');
    const { url } = await bare.ask<{ url: string }>([bytes], HELPER_LIMIT_MS);
    for (let round = 0; round < effort.rounds; round++) {
      const { cpuMs, wallMs } = await traceAlone(under, file, calls);
      floor.aloneCpuMs.push(cpuMs / calls);
      floor.aloneWallMs.push(wallMs / calls);
      const order = { url, key: '', file: file.path, connections: 1, ms: ALONE_MS };
      floor.bareMs.push(...(await load({ ...order, requests: effort.requests })).latenciesMs);
      for (const cell of own) await sampleCell(under.two, file, cell, effort);
    }
    bare.end();
    floors.push(floor);
    cells.push(...own);
    console.log(`requests, ${file.side} px: ${own.map(line).join(', ')}`);
  }
  const uploads = files.map(({ side, fileBytes }) => ({ side, fileBytes }));
  return { uploads, cells, floors, ...(await duel(under, files, effort)) };
}

const line = ({ connections, perSecond, latenciesMs }: Cell) =>
  `${connections} × ${median(perSecond).toPrecision(3)}/s at ${median(latenciesMs).toPrecision(3)} ms`;

function emptyCell({ side }: Upload, connections: number, workers: number): Cell {
  const times = { latenciesMs: [], engineMs: [], serviceCpuMs: [], callerCpuMs: [] };
  return { side, connections, workers, perSecond: [], ...times, refused: 0 };
}

/** Runs both services until they are warm; returns the latency of the very first request. */
async function warm({ one, two }: Processes, { path }: File, effort: RequestEffort): Promise<number> {
  const send = ({ url, keys }: Service, requests: number, connections: number) =>
    load({ url, key: keys.enterprise, file: path, connections, ms: effort.warmMs, requests });
  const first = await send(two, 1, 1);
  await send(two, effort.warmRequests, 2);
  await send(one, effort.warmRequests, 2);
  return first.latenciesMs[0] ?? Number.NaN;
}

interface Alone {
  cpuMs: number;
  wallMs: number;
  bytes: number;
}

const traceAlone = ({ alone }: Processes, { path }: File, calls: number) =>
  alone.ask<Alone>([path, calls], HELPER_LIMIT_MS);

/** The number of calls that make a sample; finding it warms the engine. */
async function callsFor(under: Processes, file: File): Promise<number> {
  let calls = 1;
  while ((await traceAlone(under, file, calls)).wallMs < ALONE_MS) calls *= 2;
  return calls;
}

async function sampleCell(service: Service, { path }: File, cell: Cell, effort: RequestEffort) {
  const { url, keys } = service;
  const { connections } = cell;
  const { ms, requests } = effort;
  const cpuSeconds = () => service.metric('process_cpu_seconds_total');
  const before = await cpuSeconds();
  const found = await load({ url, key: keys.enterprise, file: path, connections, ms, requests });
  const answered = found.latenciesMs.length;
  cell.perSecond.push(found.perSecond);
  cell.serviceCpuMs.push((((await cpuSeconds()) - before) * 1000) / answered);
  cell.callerCpuMs.push(found.clientCpuMs);
  cell.latenciesMs.push(...found.latenciesMs);
  cell.engineMs.push(...found.engineMs);
  cell.refused += found.refused;
}

/** Compares one worker with two; the two services take turns. */
async function duel({ one, two }: Processes, files: File[], effort: RequestEffort) {
  const { side, connections, rounds } = effort.duel;
  const file = files.find((one) => one.side === side) as File;
  const cells = { one: emptyCell(file, connections, 1), two: emptyCell(file, connections, 2) };
  for (let round = 0; round < rounds; round++) {
    await sampleCell(one, file, cells.one, effort);
    await sampleCell(two, file, cells.two, effort);
  }
  return cells;
}
