// What the host adds to decoding and tracing, and how many requests it answers. Everything stays on this machine.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { Service } from '../../../test/http/service.ts';
import { picturesFolder } from '../core/paths.ts';
import { drawnPictures } from '../core/pictures.ts';
import type { Cell, Floor, RequestResults, Upload } from '../core/request-results.ts';
import { median } from '../core/statistics.ts';
import { Alone, Bare, Callers } from './callers.ts';
import type { RequestEffort } from './plan.ts';

/** A drawing of the kind that services get most. */
const KIND = 'logo';
/** Of what there is beside the service, a sample takes about this long. */
const ALONE_MS = 300;

interface File extends Upload {
  path: string;
}

/** The processes that take part. */
interface Cast {
  callers: Callers;
  alone: Alone;
  one: Service;
  two: Service;
}

export async function measureRequests(effort: RequestEffort): Promise<RequestResults> {
  const files = await Promise.all([...new Set([...effort.sides, effort.duel.side])].map(pngOf));
  const [one, two] = await Promise.all([serviceOf(1), serviceOf(2)]);
  const cast = { callers: new Callers(), alone: new Alone(), one, two };
  try {
    return await measure(cast, files, effort);
  } finally {
    cast.callers.end();
    cast.alone.end();
    await Promise.all([one.stop(), two.stop()]);
  }
}

/** With its settings as they come, logging included, on the loopback interface. */
function serviceOf(workers: number): Promise<Service> {
  return Service.start({ TRACESMITH_HOST: '127.0.0.1', TRACESMITH_WORKERS: String(workers) });
}

async function pngOf(side: number): Promise<File> {
  const [picture] = drawnPictures([KIND], [side]);
  const raw = { width: side, height: side, channels: 4 } as const;
  const png = await sharp(readFileSync(await (picture as NonNullable<typeof picture>).file()), { raw })
    .png()
    .toBuffer();
  mkdirSync(picturesFolder, { recursive: true });
  const path = join(picturesFolder, `${KIND}-${side}.png`);
  writeFileSync(path, png);
  return { side, path, fileBytes: png.length };
}

async function measure(cast: Cast, files: File[], effort: RequestEffort): Promise<RequestResults> {
  const asked = files.filter(({ side }) => effort.sides.includes(side));
  const floors: Floor[] = [];
  const cells: Cell[] = [];
  for (const file of asked) {
    const floor = emptyFloor(file, await warm(cast, file, effort));
    const own = effort.connections.map((connections) => emptyCell(file, connections, 2));
    const { bytes } = await cast.alone.repeat(file.path, 1);
    const bare = await Bare.start(bytes);
    const callsAlone = await callsFor(cast.alone, file);
    for (let round = 0; round < effort.rounds; round++) {
      await sampleFloor(cast, file, floor, { bare, calls: callsAlone, effort });
      for (const cell of own) await sampleCell(cast, cast.two, file, cell, effort);
    }
    bare.end();
    floors.push(floor);
    cells.push(...own);
    console.log(`requests, ${file.side} px: ${own.map(line).join(', ')}`);
  }
  return {
    uploads: files.map(({ side, fileBytes }) => ({ side, fileBytes })),
    cells,
    floors,
    ...(await duel(cast, files, effort)),
  };
}

const line = ({ connections, perSecond, latenciesMs }: Cell) =>
  `${connections} × ${median(perSecond).toPrecision(3)}/s at ${median(latenciesMs).toPrecision(3)} ms`;

function emptyCell({ side }: Upload, connections: number, workers: number): Cell {
  const times = { latenciesMs: [], engineMs: [], serviceCpuMs: [], callerCpuMs: [] };
  return { side, connections, workers, perSecond: [], ...times, refused: 0 };
}

function emptyFloor({ side }: Upload, firstMs: number): Floor {
  return { side, aloneCpuMs: [], aloneWallMs: [], bareMs: [], firstMs };
}

/** Brings both services to their usual speed; gives the time of the very first request. */
async function warm({ callers, one, two }: Cast, { path }: File, effort: RequestEffort): Promise<number> {
  const order = (service: Service, requests: number, connections: number) =>
    callers.call({
      url: service.url,
      key: service.keys.enterprise,
      file: path,
      connections,
      ms: effort.warmMs,
      requests,
    });
  const first = await order(two, 1, 1);
  await order(two, effort.warmRequests, 2);
  await order(one, effort.warmRequests, 2);
  return first.latenciesMs[0] ?? Number.NaN;
}

/** How many calls make a sample; finding out warms the engine. */
async function callsFor(alone: Alone, { path }: File): Promise<number> {
  let calls = 1;
  for (let { wallMs } = await alone.repeat(path, calls); wallMs < ALONE_MS; calls *= 2) {
    ({ wallMs } = await alone.repeat(path, calls * 2));
  }
  return calls;
}

interface Below {
  bare: Bare;
  calls: number;
  effort: RequestEffort;
}

async function sampleFloor(
  { alone, callers }: Cast,
  { path }: File,
  floor: Floor,
  below: Below,
): Promise<void> {
  const { bare, calls, effort } = below;
  const { cpuMs, wallMs } = await alone.repeat(path, calls);
  floor.aloneCpuMs.push(cpuMs / calls);
  floor.aloneWallMs.push(wallMs / calls);
  const order = {
    url: bare.url,
    key: '',
    file: path,
    connections: 1,
    ms: ALONE_MS,
    requests: effort.requests,
  };
  floor.bareMs.push(...(await callers.call(order)).latenciesMs);
}

async function sampleCell(
  { callers }: Cast,
  service: Service,
  { path }: File,
  cell: Cell,
  { ms, requests }: RequestEffort,
): Promise<void> {
  const cpuBefore = await service.metric('process_cpu_seconds_total');
  const { connections } = cell;
  const order = { url: service.url, key: service.keys.enterprise, file: path, connections, ms, requests };
  const called = await callers.call(order);
  const cpuAfter = await service.metric('process_cpu_seconds_total');
  const answered = called.latenciesMs.length;
  cell.perSecond.push((answered * 1000) / called.elapsedMs);
  cell.serviceCpuMs.push(((cpuAfter - cpuBefore) * 1000) / answered);
  cell.callerCpuMs.push(called.cpuMs / answered);
  cell.latenciesMs.push(...called.latenciesMs);
  cell.refused += called.refused;
  cell.engineMs.push(...called.timings.map(({ decode = 0, trace = 0 }) => decode + trace));
}

/** One worker against two, by turns. */
async function duel(
  cast: Cast,
  files: File[],
  effort: RequestEffort,
): Promise<Pick<RequestResults, 'one' | 'two'>> {
  const { side, connections, rounds } = effort.duel;
  const file = files.find((one) => one.side === side) as File;
  const [one, two] = [emptyCell(file, connections, 1), emptyCell(file, connections, 2)];
  for (let round = 0; round < rounds; round++) {
    await sampleCell(cast, cast.one, file, one, effort);
    await sampleCell(cast, cast.two, file, two, effort);
  }
  return { one, two };
}
