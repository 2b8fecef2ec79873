// The worker of a `Tracer`: one picture at a time, on the engine of its own thread.
import { TracesmithError } from './errors.ts';
import type { Answer, Job } from './tracer.ts';
import { init, traceSync } from './wasm.ts';
import type { Progress } from './watch.ts';

/** Node's way to hear and to speak; a browser's is the global object. */
interface Port {
  postMessage(answer: Answer): void;
  on(event: 'message', listener: (job: Job) => void): void;
}

interface Scope {
  process?: { getBuiltinModule?(name: string): { parentPort: Port | null } };
  postMessage?(answer: Answer): void;
}

const scope = globalThis as Scope;

if (scope.postMessage !== undefined) {
  addEventListener('message', async ({ data }: MessageEvent<Job>) => say(await answer(data)));
} else {
  nodePort()?.on('message', async (job) => say(await answer(job)));
}

function nodePort(): Port | null | undefined {
  return scope.process?.getBuiltinModule?.('node:worker_threads').parentPort;
}

function say(answer: Answer): void {
  if (scope.postMessage !== undefined) scope.postMessage(answer);
  else nodePort()?.postMessage(answer);
}

async function answer({ engine, image, options, wantsProgress, stop }: Job): Promise<Answer> {
  const onProgress = (progress: Progress) => {
    if (wantsProgress) say({ progress });
    return stop === undefined || Atomics.load(stop, 0) === 0;
  };
  try {
    // A picture waits already: what it runs is compiled as well by tracing it.
    await init(engine, { warmMs: 0 });
    const isWatched = wantsProgress || stop !== undefined;
    return { svg: traceSync(image, options, isWatched ? { onProgress } : {}) };
  } catch (error) {
    const refused =
      error instanceof TracesmithError ? error : new TracesmithError('engine_failure', `${error}`);
    const { code, message, errors } = refused;
    return { refused: { code, message, errors } };
  }
}
