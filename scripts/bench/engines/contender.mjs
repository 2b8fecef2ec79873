// One engine that traces one picture again and again, in its own process.
import { readFileSync, writeFileSync } from 'node:fs';

/** Takes the file name of the adapter, and the folder or file of the engine. */
export async function load(adapter, place) {
  const engine = await (await import(`../adapters/${adapter}.mjs`)).load(place);
  let picture;
  let svg = '';
  return {
    /** Gives the resident memory of the process. */
    picture(mode, width, height, file) {
      picture = { mode, width, height, rgba: new Uint8Array(readFileSync(file)) };
      forgetPeak();
      return process.memoryUsage.rss();
    },
    /** Gives the cost of all the calls. */
    async run(calls) {
      const startCpuMs = cpuMs();
      const startMs = performance.now();
      for (let call = 0; call < calls; call++) svg = await engine.trace(picture);
      const wallMs = performance.now() - startMs;
      const cost = { cpuMs: cpuMs() - startCpuMs, wallMs, bytes: Buffer.byteLength(svg) };
      const peakBytes = process.resourceUsage().maxRSS * 1024;
      return { ...cost, peakBytes, engineBytes: engine.memoryBytes?.() };
    },
    /** Gives the mean processor time of each stage; nothing if the engine does not report its stages. */
    stages(calls) {
      const stagesMs = {};
      for (let call = 0; call < calls; call++) addStages(stagesMs, engine, picture);
      return Object.fromEntries(Object.entries(stagesMs).map(([stage, ms]) => [stage, ms / calls]));
    },
    /** Writes the last drawing. */
    write(file) {
      writeFileSync(file, svg);
    },
  };
}

/** Processor time of all threads of the process. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Adds the processor time of each stage of one call. Calls of the observer within a stage count for the stage. */
function addStages(stagesMs, engine, picture) {
  let stage;
  let sinceMs;
  const next = (name) => {
    if (name === stage) return;
    const nowMs = cpuMs();
    if (stage !== undefined) stagesMs[stage] = (stagesMs[stage] ?? 0) + nowMs - sinceMs;
    [stage, sinceMs] = [name, nowMs];
  };
  engine.watch?.(picture, next);
  next(undefined);
}

/** Only Linux can reset the peak of resident memory. */
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}
