import { asFailure, type Failure } from './failure.ts';
import type { Task } from './outputs.ts';
import type { Drawn, Tracer } from './tracer.ts';

/** What became of one picture. `interrupted`: it was not finished, or not begun. */
export type Result =
  | { status: 'traced'; drawn: Drawn }
  | { status: 'failed'; failure: Failure }
  | { status: 'kept' }
  | { status: 'interrupted' };

/** Traces all, `jobs` at once; a failure does not stop the rest. No more than these are open at any time. */
export async function traceAll(
  tasks: Task[],
  tracer: Tracer,
  jobs: number,
  onResult: (index: number, result: Result) => void,
): Promise<void> {
  // Shared: each lane takes the next that no other has taken.
  const left = tasks.entries();
  const lane = async () => {
    for (const [index, task] of left) onResult(index, await traceOne(task, tracer));
  };
  await Promise.all(Array.from({ length: jobs }, lane));
}

async function traceOne(task: Task, tracer: Tracer): Promise<Result> {
  try {
    const drawn = await tracer.trace(task);
    return drawn === undefined ? { status: 'kept' } : { status: 'traced', drawn };
  } catch (error) {
    return { status: 'failed', failure: asFailure(error) };
  }
}
