// Callers of a service, in a process of their own, so that what they cost is not taken for the service's. A line on stdin is an
// order: JSON with url, key, file, connections, ms and requests; a line of JSON is what came of it. It ends by itself: after that
// time or that many requests, whichever comes first.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'undici';

const BOUNDARY = 'tracesmith-benchmark';

function bodyOf(file) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="picture.png"\r\nContent-Type: image/png\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), readFileSync(file), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

async function load({ url, key, file, connections, ms, requests }) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  };
  const request = { path: '/v1/vectorize', method: 'POST', headers, body: bodyOf(file) };
  const found = { latenciesMs: [], timings: [], refused: 0, left: requests, endMs: performance.now() + ms };
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: connections }, () => call(new Client(url), request, found)));
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const { latenciesMs, timings, refused } = found;
  return { elapsedMs, cpuMs: (user + system) / 1000, latenciesMs, timings, refused };
}

/** One connection: the next request goes out when the answer to the last is in. */
async function call(client, request, found) {
  while (performance.now() < found.endMs && found.left-- > 0) {
    const startMs = performance.now();
    const { statusCode, headers, body } = await client.request(request);
    const bytes = (await body.arrayBuffer()).byteLength;
    if (statusCode === 200 && bytes > 0) {
      found.latenciesMs.push(performance.now() - startMs);
      found.timings.push(stepsIn(headers['server-timing'] ?? ''));
    } else {
      found.refused++;
    }
  }
  await client.close();
}

/** Milliseconds by step, of a Server-Timing header. */
function stepsIn(header) {
  return Object.fromEntries(
    [...header.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, step, ms]) => [step, Number(ms)]),
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await load(JSON.parse(line));
  } catch (error) {
    answer = { error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
