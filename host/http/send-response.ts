import type { IncomingMessage, ServerResponse } from 'node:http';
import { drain } from './drain-body.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** A text, or the pieces of a long one in UTF-8. */
  body: string | readonly Uint8Array[];
}

/** Sends a whole answer; resolves when the request, too, is read or given up. */
export async function send(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const isEarly = hasUnreadBody(response.req);
  const close = isEarly ? { Connection: 'close' } : {};
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const length = status === 204 ? {} : { 'Content-Length': String(bytes) };
  response.writeHead(status, { ...headers, ...length, ...close });
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.uncork();
  // The whole answer is out by now; end() would close the connection on a caller who still sends.
  if (isEarly) await drain(response.req);
  response.end();
}

function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !complete;
}
