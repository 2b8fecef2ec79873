import type { IncomingMessage, ServerResponse } from 'node:http';

type Message = IncomingMessage | ServerResponse;

const sizes = new WeakMap<Message, number>();

/** Counts bytes of a body that were read from the client or are sent to it, without headers and chunk framing. */
export function addBodyBytes(message: Message, bytes: number): void {
  sizes.set(message, bodyBytes(message) + bytes);
}

/** The bytes of a body counted so far. */
export function bodyBytes(message: Message): number {
  return sizes.get(message) ?? 0;
}
