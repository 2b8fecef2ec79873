// A TCP proxy that delays what passes. In a thread of its own: that of the test is busy at times.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

let delayMs = 0;
parentPort.on('message', (message) => {
  delayMs = message;
});

const server = createServer((client) => {
  const target = connect(workerData.port, '127.0.0.1');
  pass(client, target);
  pass(target, client);
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));

/**
 * @param {import('node:net').Socket} from
 * @param {import('node:net').Socket} to
 */
function pass(from, to) {
  from.setNoDelay();
  // Bytes stay in order, even if the delay becomes shorter.
  let last = Promise.resolve();
  from.on('data', (data) => {
    const due = delayMs === 0 ? undefined : sleep(delayMs);
    last = last.then(() => due).then(() => void to.write(data));
  });
  from.on('error', () => {});
  from.on('close', () => to.destroy());
}
