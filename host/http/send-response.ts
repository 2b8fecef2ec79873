import type { IncomingMessage, ServerResponse } from 'node:http';
import { addBodyBytes } from '../observability/body-size.ts';
import { drainBody } from './drain-body.ts';

const SHORT_BODY_BYTES = 256 * 1024;

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** Text, or the chunks of a large body in UTF-8. */
  body: string | readonly Uint8Array[];
}

/** How a response is sent. Neither function is called if the connection breaks before. */
interface Sending {
  /** A client that has not read the response by then is disconnected, however much of it it has read. */
  timeoutMs: number;
  /** Called when the operating system has taken all bytes. */
  onSent(): void;
  /** Called before a slow reader is disconnected. */
  onTimeout(): void;
}

/** Sends a response. Resolves when the body of the request has been read as well, or discarded up to a limit. */
export async function sendResponse(
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { timeoutMs, onSent, onTimeout }: Sending,
): Promise<void> {
  const deadline = setTimeout(() => {
    onTimeout();
    response.destroy();
  }, timeoutMs);
  response.once('close', () => clearTimeout(deadline));
  const isEarly = hasUnreadBody(response.req);
  const close: Record<string, string> = isEarly && !isShort(response.req) ? { Connection: 'close' } : {};
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body;
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  addBodyBytes(response, bytes);
  const length = status === 204 ? {} : { 'Content-Length': String(bytes) };
  response.writeHead(status, { ...headers, ...length, ...close });
  response.cork();
  response.flushHeaders();
  for (const chunk of chunks) response.write(chunk);
  const { socket } = response;
  // Called after all that was written before. The response's own callbacks are called too early if it has no body, and
  // 'finish' for a broken connection as well; after destroy(), this one gets no error.
  socket?.write('', (error) => {
    if (error != null || socket.destroyed) return;
    clearTimeout(deadline);
    onSent();
  });
  response.uncork();
  // The response is complete, but end() would close the connection while the client is still sending.
  const isRead = !isEarly || (await drainBody(response.req));
  response.end();
  if (!isRead) socket?.destroySoon();
}

/**
 * Whether the unread body is short, and the client sends it in any case. Then the connection stays open: when thousands of
 * clients are refused at once, accepting a new connection from each takes longer than reading what it has sent anyway.
 */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Number.NaN) <= SHORT_BODY_BYTES && headers.expect === undefined;
}

function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !complete;
}
