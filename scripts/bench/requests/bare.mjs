// What HTTP by itself costs: a server that reads a body to its end and sends an answer of a given number of bytes.
import { createServer } from 'node:http';

const answer = Buffer.alloc(Number(process.argv[2]), 'x');

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'Content-Length': answer.length }).end(answer));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
