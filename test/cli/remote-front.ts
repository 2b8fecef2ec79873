import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** What a front does with a request instead of forwarding it. */
export type Fault =
  | 'reset'
  | 'truncated'
  | { status: number; headers?: Record<string, string>; body?: string; type?: string };

/** A server between the command line and a service, which can break requests. Closed after the tests. */
export class Front {
  /** When each request arrived, in milliseconds of `performance.now()`. */
  readonly arrivals: number[] = [];
  /** The statuses of all responses. */
  readonly statuses: number[] = [];
  readonly #server: Server;

  private constructor(servicePort: number, faultOf: (index: number) => Fault | undefined) {
    this.#server = createServer((incoming, response) => {
      const index = this.arrivals.push(performance.now()) - 1;
      const fault = faultOf(index);
      response.on('close', () => this.statuses.push(response.statusCode));
      if (fault === undefined) forward(incoming, response, servicePort);
      else incoming.resume().on('end', () => inject(fault, response));
    });
  }

  /** `faultOf` says what happens to the request with this number, counted from 0; undefined forwards it. */
  static async start(
    servicePort: number,
    faultOf: (index: number) => Fault | undefined = () => undefined,
  ): Promise<Front> {
    const front = new Front(servicePort, faultOf);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    after(() => front.#server.close().closeAllConnections());
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(onward);
}

function inject(fault: Fault, response: ServerResponse): void {
  if (fault === 'reset') response.socket?.resetAndDestroy();
  else if (fault === 'truncated') {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'content-length': '1000' });
    response.write('<svg>', () => response.socket?.destroy());
  } else {
    const { status, headers, body = '', type = 'text/html' } = fault;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  }
}

/** A problem document of the service. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers,
  type: 'application/problem+json',
  body: JSON.stringify({ code, detail: `The detail of ${code}.`, requestId: 'request-7' }),
});
