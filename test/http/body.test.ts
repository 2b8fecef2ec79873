import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { DEADLINE_MS, END, FILE_HEADERS, MULTIPART, part, picture, Service, wireHead } from './service.ts';

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

const letters = picture('letters.gif');
const config = part(['Content-Disposition: form-data; name="config"'], '{"mode":"polygon"}');
const body = Buffer.concat([config, part(FILE_HEADERS, letters), END]);

/** Sends a body in chunks, each in its own packet, and returns the status and the error code of the response. */
function sendPieces(pieces: Iterable<Buffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port: service.port, host: 'localhost', noDelay: true });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`no response but: ${text}`)));
    socket.on('error', reject).on('data', (data) => {
      text += data;
      if (!/\r\n\r\n\{.*\}$/s.test(text)) return;
      socket.destroy();
      resolve(`${text.slice(9, 12)} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim());
    });
    socket.write(wireHead(service.keys.enterprise, body.length));
    void (async () => {
      for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
    })();
  });
}

test('byte by byte', async () => {
  const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1));
  assert.equal(await sendPieces(bytes), '200');
});

test('in two chunks, split at every byte', async () => {
  for (let cut = 1; cut < body.length; cut++) {
    assert.equal(await sendPieces([body.subarray(0, cut), body.subarray(cut)]), '200', `cut at ${cut}`);
  }
});

test('truncated at every byte: rejected, without hanging', async () => {
  // The last two bytes are an optional line break.
  for (let end = 0; end < body.length - 2; end++) {
    const response = await service.post(body.subarray(0, end), { headers: MULTIPART });
    assert.equal(`${response.status} ${response.json.code}`, '400 malformed_multipart', `ended at ${end}`);
  }
});

test('a connection closed at every byte: its resources are released', async () => {
  const head = wireHead(service.keys.custom, body.length);
  for (let end = 0; end < body.length; end++) {
    const text = await exchangeEnded(Buffer.concat([Buffer.from(head), body.subarray(0, end)]));
    assert.ok(text === '' || text.startsWith('HTTP/1.1 400 '), text);
  }
  // The account may have eight concurrent requests.
  const all = Array.from({ length: 8 }, () =>
    service.post(body, { key: service.keys.custom, headers: MULTIPART }),
  );
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  assert.deepEqual(statuses, Array(8).fill(200));
});

/** Sends bytes, ends the sending side, and reads until the server closes the connection. */
function exchangeEnded(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(service.port, 'localhost', () => socket.end(bytes));
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`not closed: ${text}`)));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

test('corrupted at every byte: a client error, or the correct response', async () => {
  for (let at = 0; at < body.length; at++) {
    const damaged = Buffer.from(body);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    const response = await service.post(damaged, { headers: MULTIPART });
    assert.ok(response.status < 500, `damaged at ${at}: ${response.status} ${response.text.slice(0, 200)}`);
  }
});
