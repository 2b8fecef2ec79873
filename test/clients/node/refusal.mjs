// Sends a large request by one of the clients and prints the status and code of the answer: CLIENT CASE URL KEY.
import { Readable } from 'node:stream';
import axios from 'axios';
import { request, FormData as UndiciForm } from 'undici';

const [client, what, url, key] = process.argv.slice(2);
const BYTES = 30_000_000;
const headers = { Authorization: `Bearer ${key}` };
const CHUNKED = { ...headers, 'Content-Type': 'multipart/form-data; boundary=limit' };

/** A config that is refused, when that is the case to try; then the file. */
function fill(form) {
  if (what === 'invalid config') form.set('config', '{"mode": "splines"}');
  // Small enough that only the config is wrong.
  form.set('file', new Blob([new Uint8Array(what === 'invalid config' ? 20_000_000 : BYTES)]), 'large.png');
  return form;
}

function* pieces() {
  yield Buffer.from('--limit\r\nContent-Disposition: form-data; name="file"; filename="large.png"\r\n\r\n');
  for (let sent = 0; sent < BYTES; sent += 100_000) yield Buffer.alloc(100_000);
  yield Buffer.from('\r\n--limit--\r\n');
}

const isChunked = what === 'too large, chunked';
const SENDERS = {
  async undici() {
    const body = isChunked ? Readable.from(pieces()) : fill(new UndiciForm());
    const answer = await request(url, { method: 'POST', headers: isChunked ? CHUNKED : headers, body });
    return [answer.statusCode, await answer.body.json()];
  },
  async fetch() {
    const body = isChunked ? Readable.toWeb(Readable.from(pieces())) : fill(new FormData());
    const sent = { method: 'POST', headers: isChunked ? CHUNKED : headers, body, duplex: 'half' };
    const answer = await fetch(url, sent);
    return [answer.status, await answer.json()];
  },
  async axios() {
    const body = isChunked ? Readable.from(pieces()) : fill(new FormData());
    const options = { headers: isChunked ? CHUNKED : headers, validateStatus: () => true };
    const { status, data } = await axios.post(url, body, options);
    return [status, data];
  },
};

const [status, { code }] = await SENDERS[client]();
console.log(`${status} ${code}`);
// A client may keep its connection for a while.
process.exit();
