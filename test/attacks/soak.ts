// Runs all attacks at once against one service on the loopback interface, then checks that nothing is left of them.
// npm run soak -- [minutes] [seed]
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { form, picture, type Service } from '../http/service.ts';
import { addAccounts } from '../load/loaded-service.ts';
import { ATTACKS, type Battle, RARE_FAULTS, Random } from './support/attacks.ts';
import { KeptConnection } from './support/client.ts';
import { upload } from './support/connections.ts';
import { flatPng, startFaulty } from './support/faulty-service.ts';
import { Ledger } from './support/ledger.ts';
import { assertRecovered, type Resources, resourcesAtRest, sum } from './support/resources.ts';
import { otherImages } from './support/torture-others.ts';
import { PNG_IMAGES } from './support/torture-png.ts';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 10;
const ATTACKERS = 12;
/** Memory is measured after each part. The first half is the warm-up: allocators and heaps then have their size. */
const PARTS = 4;
/** How much more memory may be resident at the end than in the first half, as a share of that. */
const MEMORY_TOLERANCE = 0.1;
/** The share of a well-behaved client's requests that must succeed. */
const GOOD_SHARE = 0.95;
const LIMITED = 'tracesmith_limited_connections_total';
const GOOD_CLIENT = 'a well-behaved client';
const SETTLE_MS = 10_000;
const MIB = 1024 * 1024;
const SETTINGS = {
  TRACESMITH_PROCESSING_TIMEOUT_MS: '10000',
  TRACESMITH_MAX_TRACE_CPU_MS: '4000',
  TRACESMITH_HEADERS_TIMEOUT_MS: '3000',
  TRACESMITH_BODY_TIMEOUT_MS: '4000',
  TRACESMITH_SEND_TIMEOUT_MS: '4000',
  TRACESMITH_MAX_CONNECTIONS: '500',
  TRACESMITH_LOG_LEVEL: 'error',
  MALLOC_TRIM_THRESHOLD_: trimThreshold(),
};

/** As the systemd unit sets it. Without it, free memory that glibc keeps is taken for a leak. */
function trimThreshold(): string {
  const unit = readFileSync(new URL('../../deploy/tracesmith.service', import.meta.url), 'utf8');
  const [, value] = /^Environment=MALLOC_TRIM_THRESHOLD_=(\d+)$/m.exec(unit) ?? [];
  if (value === undefined) throw new Error('deploy/tracesmith.service does not set MALLOC_TRIM_THRESHOLD_');
  return value;
}

const logo = picture('logo.png');
/** So large that its thread collects garbage afterwards. */
const large = flatPng(1_600, 1_600);
/** Keeps one thread busy meanwhile: two large images run at once, and each time others of the three threads. */
const small = flatPng(1_000, 1_000);
/** So many that each thread gets some. */
const ROUNDS = 8;

async function attackUntil(endMs: number, battle: Battle): Promise<void> {
  const isOver = () => performance.now() > endMs || hasEnded(battle.service);
  const loop = async (attacks: typeof ATTACKS, random: Random) => {
    while (!isOver()) {
      const name = random.pick(Object.keys(attacks));
      await attacks[name]?.({ ...battle, random }, name);
    }
  };
  const next = () => new Random(battle.random.below(2 ** 32));
  await Promise.all([
    ...Array.from({ length: ATTACKERS }, () => loop(ATTACKS, next())),
    loop(RARE_FAULTS, next()),
    behaveWell(battle, isOver),
  ]);
}

const durationsMs: number[] = [];

/** A small image twice a second, over one connection, of an account that does nothing else. */
async function behaveWell({ service, ledger, goodKey }: Battle, isOver: () => boolean): Promise<void> {
  const connection = new KeptConnection(service.port);
  const request = upload(goodKey, logo);
  while (!isOver()) {
    const startMs = performance.now();
    // Faults end threads, and an image can miss its deadline while a new one starts. GOOD_SHARE limits how often.
    await ledger.send(GOOD_CLIENT, () => connection.send(request), { statuses: [504] });
    durationsMs.push(performance.now() - startMs);
    await sleep(500);
  }
  connection.close();
}

const hasEnded = ({ process }: Service) => process.exitCode !== null || process.signalCode !== null;

/** The memory of the idle service: what is resident, and how much of that the engines keep, which the service counts. */
interface Memory {
  residentBytes: number;
  keptBytes: number;
}

/**
 * Waits until all is released, then tells the memory that remains when the main thread and each worker have collected their garbage:
 * idle threads do not.
 */
async function settle(service: Service, rest: Resources, ledger: Ledger): Promise<Memory> {
  await assertRecovered(service, rest).catch((error: Error) => ledger.fault(error.message));
  for (let i = 0; i < ROUNDS; i++)
    await Promise.all([small, large, large].map((image) => service.post(form(image))));
  const bytes: number[] = [];
  for (const endMs = performance.now() + SETTLE_MS; performance.now() < endMs; ) {
    await service.post(form(logo));
    service.process.kill('SIGURG');
    await sleep(200);
    bytes.push(service.residentBytes);
  }
  const keptBytes = await sum(service, 'tracesmith_image_memory_kept_bytes');
  return { residentBytes: Math.min(...bytes), keptBytes };
}

const uncounted = ({ residentBytes, keptBytes }: Memory) => residentBytes - keptBytes;

function checkMemory(parts: Memory[], ledger: Ledger): void {
  const warm = parts.slice(0, PARTS / 2).reduce((a, b) => (uncounted(a) > uncounted(b) ? a : b));
  const last = parts.at(-1) ?? warm;
  const grown = uncounted(last) - uncounted(warm);
  if (grown > MEMORY_TOLERANCE * warm.residentBytes)
    ledger.fault(`resident memory grew by ${inMib(grown)}, beside what engines keep`);
}

const inMib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;

async function memoryOf(service: Service, { residentBytes, keptBytes }: Memory): Promise<string> {
  const heap = await sum(service, 'nodejs_heap_size_used_bytes');
  const external = await sum(service, 'nodejs_external_memory_bytes');
  return `${inMib(residentBytes)} are resident: engines keep ${inMib(keptBytes)}, the main thread has a heap of ${inMib(heap)} and buffers of ${inMib(external)}.`;
}

/** Each request that the service counted must be one of ours, and each that we saw answered must be counted. */
async function checkCounts(service: Service, ledger: Ledger, before: number): Promise<void> {
  const counted = (await countedBy(service)) - before;
  const answered = ledger.total(({ answers }) => answers);
  const unanswered = ledger.total(({ closedByClient, closedByService }) => closedByClient + closedByService);
  const sent = ledger.total((count) => count.sent);
  if (answered + unanswered !== sent)
    ledger.fault(`of ${sent} requests, ${answered + unanswered} are accounted for`);
  // At the limit of connections, one that has been silent for a second makes room for another. Far above it, silent ones are dropped.
  const limited = await sum(service, LIMITED);
  const dropped = await sum(service, LIMITED, '"dropped"');
  if (ledger.unexpectedlyClosed > limited)
    ledger.fault(
      `${ledger.unexpectedlyClosed} connections were closed without an answer, ${limited} for their number`,
    );
  if (ledger.closedInUse > dropped)
    ledger.fault(`${ledger.closedInUse} connections were closed in use, and ${dropped} dropped`);
  if (counted < answered) ledger.fault(`${answered} requests were answered, but ${counted} counted`);
  console.log(
    `\n${ledger.unexpectedlyClosed} connections were closed without an answer, ${ledger.closedInUse} of them in use; ${dropped} were dropped far above the limit.`,
  );
  console.log(`The service counted ${counted} requests and refused connections.`);
}

async function countedBy(service: Service): Promise<number> {
  const names = ['http_server_request_duration_seconds_count', 'tracesmith_discarded_requests_total'].concat(
    ['rejected', 'limited'].map((what) => `tracesmith_${what}_connections_total`),
  );
  const sums = await Promise.all(names.map((name) => sum(service, name)));
  return sums.reduce((total, n) => total + n, 0);
}

function report({ counts }: Ledger): void {
  const rows = [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([attack, count]) => {
      const statuses = [...count.answered].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
      const { sent, closedByClient, closedByService } = count;
      return {
        attack,
        sent,
        answered: count.answers,
        closedByClient,
        closedByService,
        statuses: statuses.join(', '),
      };
    });
  console.table(rows);
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
  console.log(`A well-behaved client waited ${at(0.5)} (median), ${at(0.99)} (99 %).`);
}

function checkGoodClient(ledger: Ledger): void {
  const count = ledger.counts.get(GOOD_CLIENT);
  const share = (count?.answered.get(200) ?? 0) / (count?.sent ?? 1);
  if (share < GOOD_SHARE)
    ledger.fault(`${GOOD_CLIENT}: ${(share * 100).toFixed(1)} % of its requests succeeded`);
}

async function main(minutes: number, seed: number): Promise<void> {
  console.log(`${minutes} minutes, seed ${seed}`);
  const service = await startFaulty(SETTINGS);
  const ledger = new Ledger();
  try {
    const images = { ...PNG_IMAGES, ...(await otherImages()) };
    const [goodKey = ''] = await addAccounts(service, 1);
    const battle = {
      service,
      goodKey,
      ledger,
      images,
      keys: readFileSync(service.keysFile),
      random: new Random(seed),
    };
    const rest = await resourcesAtRest(service);
    const before = await countedBy(service);
    const parts: Memory[] = [];
    for (let part = 1; part <= PARTS; part++) {
      await attackUntil(performance.now() + (minutes * MINUTE_MS) / PARTS, battle);
      const memory = await settle(service, rest, ledger);
      parts.push(memory);
      console.log(`After part ${part} of ${PARTS}, ${await memoryOf(service, memory)}`);
    }
    checkMemory(parts, ledger);
    await checkCounts(service, ledger, before);
    checkGoodClient(ledger);
  } catch (error) {
    ledger.fault(`ended early: ${error instanceof Error ? error.message : error}`);
  } finally {
    if (hasEnded(service)) ledger.fault(`the service ended: ${service.log.at(-1)}`);
    await service.stop();
  }
  report(ledger);
  for (const [what, times] of ledger.wrong) console.error(`✗ ${times} × ${what}`);
  console.log(ledger.wrong.size === 0 ? '✓ Nothing was left of the attacks.' : '✗ The service did not hold.');
  process.exitCode = ledger.wrong.size === 0 ? 0 : 1;
}

const [minutes = DEFAULT_MINUTES, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
if (!(minutes > 0 && minutes <= 24 * 60) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run soak -- [minutes] [seed]');
  process.exitCode = 2;
} else await main(minutes, seed);
