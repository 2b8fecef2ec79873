// Times the first images in its own process, which has loaded nothing before. The arguments are the address of the package's
// index.js, a file of raw RGBA, and its width and height; the result is a line of JSON. This is plain JavaScript, which every runtime
// takes as it is: a compiler in the process would add to its time.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const IMAGES = 10;

const [address, file, width, height] = process.argv.slice(2);
const startMs = performance.now();
const { init, traceSync } = await import(address);
const importedMs = performance.now();
await init();
const loadedMs = performance.now();

const image = { width: Number(width), height: Number(height), data: new Uint8Array(readFileSync(file)) };
const tracesMs = Array.from({ length: IMAGES }, () => {
  const sinceMs = performance.now();
  traceSync(image);
  return performance.now() - sinceMs;
});
console.log(JSON.stringify({ importMs: importedMs - startMs, initMs: loadedMs - importedMs, tracesMs }));
