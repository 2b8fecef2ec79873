// Decoding and tracing as the service does it, with no service around. A line on stdin: file, calls, divided by a tab; the answer: the
// processor time of all of them, and the time by the clock.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { init, traceSync } from 'tracesmith-wasm';
import { readSettings } from '../../../host/config/settings.ts';
import { decodeRaster } from '../../../host/image/decode.mjs';

const settings = readSettings({});
await init();

async function repeat(file: string, calls: number) {
  const bytes = readFileSync(file);
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  let svg = '';
  for (let call = 0; call < calls; call++) {
    svg = traceSync(await decodeRaster(bytes, settings), {});
  }
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs, bytes: Buffer.byteLength(svg) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [file = '', calls] = line.split('\t');
  console.log(JSON.stringify(await repeat(file, Number(calls))));
}
