import { asFailure, type Failure } from './failure.ts';
import type { FileTracer, TracedFile } from './file-tracer.ts';
import type { Task } from './outputs.ts';

/**
 * The result of one task. `kept`: the SVG existed and --skip-existing was given. `interrupted`: not started or not
 * finished.
 */
export type Result =
  | { status: 'traced'; file: TracedFile }
  | { status: 'failed'; failure: Failure }
  | { status: 'kept' }
  | { status: 'interrupted' };

/** Traces all tasks, `jobs` at a time, and opens no more files than that. A failed task does not stop the others. */
export async function traceAll(
  tasks: Task[],
  tracer: FileTracer,
  jobs: number,
  onResult: (index: number, result: Result) => void,
): Promise<void> {
  // Shared by all lanes: each takes the next task.
  const remaining = tasks.entries();
  const lane = async () => {
    for (const [index, task] of remaining) onResult(index, await traceOne(task, tracer));
  };
  await Promise.all(Array.from({ length: jobs }, lane));
}

async function traceOne(task: Task, tracer: FileTracer): Promise<Result> {
  try {
    const file = await tracer.trace(task);
    return file === undefined ? { status: 'kept' } : { status: 'traced', file };
  } catch (error) {
    return { status: 'failed', failure: asFailure(error) };
  }
}
