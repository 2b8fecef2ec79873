import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Problem } from '../../host/errors/problem.ts';
import { MemoryBudget } from '../../host/limits/memory-budget.ts';
import { type JobEstimate, Queue, type QueueOptions } from '../../host/tracing/queue.ts';

/** Ends with the tests: the timer of a job that still waits would keep the process for a minute. */
const allTests = new AbortController();
after(() => allTests.abort());
const KEPT_BYTES = 100;
const LARGE_MS = 2_000;

let nowMs = 0;
const queueOf = (options: Partial<QueueOptions> = {}) =>
  new Queue(
    {
      ...{ workers: 1, smallWorkers: 1, memory: new MemoryBudget(1_000), keptBytes: KEPT_BYTES },
      ...{ maxWaitMs: 60_000, maxCpuMs: 20_000, ...options },
    },
    () => nowMs,
  );

const small = (account: string): JobEstimate => ({
  account,
  bytes: KEPT_BYTES,
  predictedMs: 10,
  predictedCpuMs: 10,
});
const large = (account: string, bytes = KEPT_BYTES + 10): JobEstimate => ({
  account,
  bytes,
  predictedMs: 2_000,
  predictedCpuMs: 2_000,
});

/** Jobs that run until they are finished by name. */
class Jobs {
  readonly #started: string[] = [];
  readonly #finish = new Map<string, () => void>();
  readonly #queue: Queue;
  readonly #done: Promise<void>[] = [];

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  add(name: string, estimate: JobEstimate, signal = allTests.signal): Promise<void> {
    const done = this.#queue.run(estimate, signal, () => {
      this.#started.push(name);
      return new Promise<void>((resolve) => this.#finish.set(name, resolve));
    });
    this.#done.push(done);
    done.catch(() => {});
    return done;
  }

  /** The names of the jobs that have started, in order. */
  async started(): Promise<string> {
    await turn();
    return this.#started.join(' ');
  }

  /** Finishes jobs, each two seconds after it has started. */
  async finish(...names: string[]): Promise<void> {
    for (const name of names) {
      await turn();
      nowMs += LARGE_MS;
      const finish = this.#finish.get(name) ?? assert.fail(`${name} has not started: ${this.#started}`);
      finish();
      await turn();
    }
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('one account', () => {
  test('as many large jobs run as there are workers, in order of arrival', async () => {
    const jobs = new Jobs(queueOf({ workers: 2 }));
    for (const name of ['1', '2', '3', '4']) void jobs.add(name, large('a'));
    assert.equal(await jobs.started(), '1 2');
    await jobs.finish('2');
    assert.equal(await jobs.started(), '1 2 3');
    await jobs.finish('1', '3', '4');
  });

  test('a small job does not wait for large ones', async () => {
    const jobs = new Jobs(queueOf());
    for (const name of ['1', '2']) void jobs.add(name, large('a'));
    void jobs.add('small', small('a'));
    assert.equal(await jobs.started(), '1 small');
  });

  test('a small job that the load of others slows down stays small', async () => {
    const jobs = new Jobs(queueOf());
    void jobs.add('large', large('b'));
    void jobs.add('slowed', { ...small('a'), predictedMs: 1_000 });
    assert.equal(await jobs.started(), 'large slowed');
  });

  test('a job that needs more memory than there is runs by itself', async () => {
    const memory = new MemoryBudget(1_000);
    const jobs = new Jobs(queueOf({ workers: 2, memory }));
    void jobs.add('huge', large('a', 1e9));
    void jobs.add('next', large('a'));
    assert.equal(await jobs.started(), 'huge');
    void jobs.add('small', small('a'));
    assert.equal(await jobs.started(), 'huge small', 'what a thread keeps is enough for it');
    await jobs.finish('huge');
    assert.equal(await jobs.started(), 'huge small next');
    await jobs.finish('small', 'next');
    assert.equal(memory.reservedBytes, 0);
  });

  test('while a large job waits for memory, no other large one passes it', async () => {
    const jobs = new Jobs(queueOf({ workers: 3 }));
    void jobs.add('first', large('a', 700));
    void jobs.add('huge', large('a', 1e9));
    void jobs.add('modest', large('a', 200));
    assert.equal(await jobs.started(), 'first');
    await jobs.finish('first');
    assert.equal(await jobs.started(), 'first huge');
    await jobs.finish('huge', 'modest');
  });

  test('memory is released when a job fails', async () => {
    const memory = new MemoryBudget(1_000);
    const queue = queueOf({ memory });
    const failing = queue.run(large('a', 900), allTests.signal, () => Promise.reject(new Error('no')));
    assert.ok(memory.reservedBytes > 0);
    await assert.rejects(failing, /no/);
    assert.equal(memory.reservedBytes, 0);
    assert.equal(queue.running, 0);
  });

  test('an aborted job leaves the queue', async () => {
    const queue = queueOf();
    const jobs = new Jobs(queue);
    void jobs.add('1', large('a'));
    const gone = new AbortController();
    const waiting = jobs.add('2', large('a'), gone.signal);
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    assert.equal(queue.waiting, 0);
    await assert.rejects(jobs.add('3', large('a'), AbortSignal.abort(new Error('left'))), /left/);
    assert.equal(queue.waiting, 0);
  });

  test('a retry is never small, and is not rejected for its wait', async () => {
    const queue = queueOf({ maxWaitMs: 1_500 });
    const jobs = new Jobs(queue);
    void jobs.add('1', large('a'));
    await assert.rejects(jobs.add('2', large('a')), { code: 'overloaded' });
    void jobs.add('retry', { ...small('a'), isRetry: true });
    assert.equal(await jobs.started(), '1');
    assert.equal(queue.waiting, 1);
  });
});

describe('several accounts', () => {
  test('take turns, however many jobs one of them has', async () => {
    const jobs = new Jobs(queueOf());
    for (const name of ['a1', 'a2', 'a3', 'a4']) void jobs.add(name, large('a'));
    for (const name of ['b1', 'b2']) void jobs.add(name, large('b'));
    await jobs.finish('a1', 'b1', 'a2', 'b2', 'a3', 'a4');
  });

  test('one whose job takes longer than predicted waits longer for its next turn', async () => {
    const jobs = new Jobs(queueOf());
    const bomb = { ...large('a'), predictedMs: LARGE_MS / 3 };
    for (const name of ['a1', 'a2']) void jobs.add(name, bomb);
    for (const name of ['b1', 'b2', 'b3']) void jobs.add(name, { ...large('b'), predictedMs: LARGE_MS / 3 });
    nowMs += 10 * LARGE_MS;
    await jobs.finish('a1', 'b1', 'b2', 'b3', 'a2');
  });

  test('an account that was idle has not saved up time', async () => {
    const jobs = new Jobs(queueOf());
    void jobs.add('b0', large('b'));
    await jobs.finish('b0');
    for (const name of ['a1', 'a2', 'a3']) {
      void jobs.add(name, large('a'));
      await jobs.finish(name);
    }
    for (const name of ['a4', 'a5', 'a6']) void jobs.add(name, large('a'));
    for (const name of ['b1', 'b2']) void jobs.add(name, large('b'));
    await jobs.finish('a4', 'b1', 'a5', 'b2', 'a6');
  });

  test('one that fills the queue is rejected; the others are admitted', async () => {
    const queue = queueOf({ maxWaitMs: 5_000 });
    const jobs = new Jobs(queue);
    // Each takes two seconds; the fourth would wait for six.
    for (const name of ['a1', 'a2', 'a3']) void jobs.add(name, large('a'));
    await assert.rejects(jobs.add('a4', large('a')), { code: 'overloaded' });
    void jobs.add('b1', large('b'));
    assert.equal(queue.waiting, 3, 'b waits for a1 alone');
    assert.equal(queue.predictedWaitMs({ account: 'a', isSmall: true, chargedBytes: 0 }), 0);
  });

  test('one whose large jobs fill the queue is rejected before its next upload', async () => {
    const queue = queueOf({ maxWaitMs: 5_000 });
    const jobs = new Jobs(queue);
    for (const name of ['a1', 'a2', 'a3']) void jobs.add(name, large('a'));
    queue.rejectIfBusy('a');
    void jobs.add('a4', { ...large('a'), isRetry: true });
    assert.throws(() => queue.rejectIfBusy('a'), { code: 'overloaded' });
    queue.rejectIfBusy('b');
  });
});

describe('waits', () => {
  test('a job that has waited too long is rejected', async () => {
    const jobs = new Jobs(queueOf({ maxWaitMs: 50 }));
    void jobs.add('1', { ...large('a'), predictedMs: 40, bytes: KEPT_BYTES + 1 });
    await assert.rejects(jobs.add('2', { ...large('a'), predictedMs: 40 }), { code: 'overloaded' });
  });

  test('Retry-After is at least a second and at most 30, and not the same for all', async () => {
    const queue = queueOf({ maxWaitMs: 5_000 });
    const jobs = new Jobs(queue);
    void jobs.add('1', { ...large('a'), predictedMs: 15_000 });
    const delays = new Set<number>();
    for (let i = 0; i < 100; i++) {
      const refused = await jobs.add('2', large('a')).catch((problem: Problem) => problem);
      delays.add(Number(refused?.headers['Retry-After']));
    }
    assert.ok(delays.size > 3, [...delays].join());
    assert.ok(Math.min(...delays) >= 15 && Math.max(...delays) <= 24, [...delays].join());
    void jobs.add('3', { ...large('b', 1e9), predictedMs: 1e6, isRetry: true });
    const late = await jobs.add('4', large('b')).catch((problem: Problem) => problem);
    assert.equal(late?.headers['Retry-After'], '30');
  });
});
