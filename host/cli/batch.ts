import { asFailure, type Failure } from './failure.ts';
import type { TracedFile } from './file-tracer.ts';
import type { Task } from './outputs.ts';
import type { RemoteFile } from './remote/remote-tracer.ts';

/** What traces an image file to an SVG file: this machine or others. */
export interface Tracer {
  /** Resolves to undefined if the SVG exists and is to be kept. */
  trace(task: Task): Promise<TracedFile | RemoteFile | undefined>;
  close(): Promise<void>;
}

/**
 * The result of one task. `kept`: the SVG existed and --skip-existing was given. `interrupted`: not started or not
 * finished.
 */
export type Result =
  | { status: 'traced'; file: TracedFile | RemoteFile }
  | { status: 'failed'; failure: Failure }
  | { status: 'kept' }
  | { status: 'interrupted' };

/** Traces all tasks, `jobs` at a time, and opens no more files than that. A failed task does not stop the others. */
export async function traceAll(
  tasks: Task[],
  tracer: Tracer,
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

async function traceOne(task: Task, tracer: Tracer): Promise<Result> {
  try {
    const file = await tracer.trace(task);
    return file === undefined ? { status: 'kept' } : { status: 'traced', file };
  } catch (error) {
    return { status: 'failed', failure: asFailure(error) };
  }
}
