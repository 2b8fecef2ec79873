/** Returns a function that calls `load` until it succeeds once, and from then on resolves to that result. Concurrent calls share one. */
export function untilSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
