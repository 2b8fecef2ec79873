/**
 * Calls `action` when all sockets have been read that had data now: before the first immediate, the event loop may have got its
 * events earlier; before the second, it asks for new ones. To be used before a connection is closed because it sends nothing.
 */
export function afterReading(action: () => void): void {
  setImmediate(() => setImmediate(action));
}
