// The worker of a `Tracer`: one picture at a time, on the engine of its own thread.
import { TracesmithError } from './errors.js';
import { init, traceSync } from './index.js';
const scope = globalThis;
if (scope.postMessage !== undefined) {
    addEventListener('message', async ({ data }) => say(await answer(data)));
}
else {
    nodePort()?.on('message', async (job) => say(await answer(job)));
}
function nodePort() {
    return scope.process?.getBuiltinModule?.('node:worker_threads').parentPort;
}
function say(answer) {
    if (scope.postMessage !== undefined)
        scope.postMessage(answer);
    else
        nodePort()?.postMessage(answer);
}
async function answer({ engine, image, options, wantsProgress, stop }) {
    const onProgress = (progress) => {
        if (wantsProgress)
            say({ progress });
        return stop === undefined || Atomics.load(stop, 0) === 0;
    };
    try {
        // A picture waits already: what it runs is compiled as well by tracing it.
        await init(engine, { warmMs: 0 });
        const isWatched = wantsProgress || stop !== undefined;
        return { svg: traceSync(image, options, isWatched ? { onProgress } : {}) };
    }
    catch (error) {
        const refused = error instanceof TracesmithError ? error : new TracesmithError('engine_failure', `${error}`);
        const { code, message, errors } = refused;
        return { refused: { code, message, errors } };
    }
}
