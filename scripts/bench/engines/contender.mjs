// Runs one engine in its own process. Each line on stdin is a command with its fields separated by tabs; each line on stdout
// is the answer as JSON. This is plain JavaScript, because a TypeScript compiler in the process would add to its time and
// memory. Arguments: the adapter, and the folder or file of the engine.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [adapter, place] = process.argv.slice(2);
// Some packages print to stdout, which is for the answers.
const answer = process.stdout.write.bind(process.stdout);
console.log = console.info = console.warn = () => {};
const { load } = await import(adapter);
const engine = await load(place);

let picture;
let svg = '';

const COMMANDS = {
  picture(mode, width, height, file) {
    picture = {
      mode,
      width: Number(width),
      height: Number(height),
      rgba: new Uint8Array(readFileSync(file)),
    };
    forgetPeak();
    return { residentBytes: process.memoryUsage.rss() };
  },
  async run(calls) {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    for (let call = 0; call < Number(calls); call++) svg = await engine.trace(picture);
    const wallMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    const bytes = Buffer.byteLength(svg);
    return { cpuMs: (user + system) / 1000, wallMs, bytes, peakBytes, engineBytes: engine.memoryBytes?.() };
  },
  stages(calls) {
    const stagesMs = {};
    for (let call = 0; call < Number(calls); call++) addStages(stagesMs);
    for (const stage of Object.keys(stagesMs)) stagesMs[stage] /= Number(calls);
    return { stagesMs };
  },
  svg(file) {
    writeFileSync(file, svg);
    return {};
  },
};

/** Adds the processor time of each stage of one call. Calls of the observer within a stage count for the stage. */
function addStages(stagesMs) {
  let stage;
  let since;
  const next = (name) => {
    if (name === stage) return;
    const { user, system } = process.cpuUsage();
    const nowMs = (user + system) / 1000;
    if (stage !== undefined) stagesMs[stage] = (stagesMs[stage] ?? 0) + nowMs - since;
    [stage, since] = [name, nowMs];
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

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...fields] = line.split('\t');
  try {
    answer(`${JSON.stringify(await COMMANDS[command](...fields))}\n`);
  } catch (error) {
    answer(`${JSON.stringify({ error: String(error?.message ?? error) })}\n`);
  }
}
