// A server that reads each body to its end and sends a response of a given size. One line on stdin, the size in bytes, starts it;
// the line on stdout is JSON with its address.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).once('line', (bytes) => {
  const answer = Buffer.alloc(Number(bytes), 'x');
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'Content-Length': answer.length }).end(answer));
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
  );
});
