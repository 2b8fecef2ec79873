// The worker of a `Tracer`: traces one image at a time with an engine of its own.
import { TracesmithError } from './shared/errors.js';
import { init, traceSync } from './index.js';
const scope = globalThis;
let sources;
if (scope.postMessage !== undefined) {
    addEventListener('message', async ({ data }) => send(await perform(data)));
}
else {
    nodePort()?.on('message', async (job) => send(await perform(job)));
}
function nodePort() {
    return scope.process?.getBuiltinModule?.('node:worker_threads').parentPort;
}
function send(reply) {
    if (scope.postMessage !== undefined)
        scope.postMessage(reply);
    else
        nodePort()?.postMessage(reply);
}
/** Loads the engine that a job needs. If the caller names only one, it is to do for all. */
async function load(gradients) {
    const { engine, gradientsEngine } = sources ?? {};
    if (gradients && gradientsEngine !== undefined)
        return init({ source: gradientsEngine, gradients });
    if (engine !== undefined || !gradients)
        await init(engine);
    if (gradients)
        await init({ gradients });
}
async function perform(job) {
    const { image, options, wantsProgress, stopFlag } = job;
    sources ??= job.sources;
    const onProgress = (progress) => {
        if (wantsProgress)
            send({ progress });
        return stopFlag === undefined || Atomics.load(stopFlag, 0) === 0;
    };
    try {
        await load(options?.gradients === true);
        const isWatched = wantsProgress || stopFlag !== undefined;
        return { svg: traceSync(image, options, isWatched ? { onProgress } : {}) };
    }
    catch (error) {
        const { code, message, errors } = error instanceof TracesmithError ? error : new TracesmithError('engine_failure', `${error}`);
        return { failure: { code, message, errors } };
    }
}
