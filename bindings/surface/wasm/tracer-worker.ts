// The worker of a `Tracer`: traces one image at a time with an engine of its own.
import { TracesmithError } from '../shared/errors.ts';
import type { Progress } from '../shared/progress.ts';
import { init, traceSync } from './index.ts';
import type { EngineSources, Job, Reply } from './tracer-protocol.ts';

/** Node's `parentPort`; in a browser, the global object sends and receives messages. */
interface Port {
  postMessage(reply: Reply): void;
  on(event: 'message', listener: (job: Job) => void): void;
}

interface WorkerScope {
  process?: { getBuiltinModule?(name: string): { parentPort: Port | null } };
  postMessage?(reply: Reply): void;
}

const scope = globalThis as WorkerScope;
let sources: EngineSources | undefined;

if (scope.postMessage !== undefined) {
  addEventListener('message', async ({ data }: MessageEvent<Job>) => send(await perform(data)));
} else {
  nodePort()?.on('message', async (job) => send(await perform(job)));
}

function nodePort(): Port | null | undefined {
  return scope.process?.getBuiltinModule?.('node:worker_threads').parentPort;
}

function send(reply: Reply): void {
  if (scope.postMessage !== undefined) scope.postMessage(reply);
  else nodePort()?.postMessage(reply);
}

/** Loads the engine that a job needs. If the caller names only one, it is to do for all. */
async function load(gradients: boolean): Promise<void> {
  const { engine, gradientsEngine } = sources ?? {};
  if (gradients && gradientsEngine !== undefined) return init({ source: gradientsEngine, gradients });
  if (engine !== undefined || !gradients) await init(engine);
  if (gradients) await init({ gradients });
}

async function perform(job: Job): Promise<Reply> {
  const { image, options, wantsProgress, stopFlag } = job;
  sources ??= job.sources;
  const onProgress = (progress: Progress) => {
    if (wantsProgress) send({ progress });
    return stopFlag === undefined || Atomics.load(stopFlag, 0) === 0;
  };
  try {
    await load(options?.gradients === true);
    const isWatched = wantsProgress || stopFlag !== undefined;
    return { svg: traceSync(image, options, isWatched ? { onProgress } : {}) };
  } catch (error) {
    const { code, message, errors } =
      error instanceof TracesmithError ? error : new TracesmithError('engine_failure', `${error}`);
    return { failure: { code, message, errors } };
  }
}
