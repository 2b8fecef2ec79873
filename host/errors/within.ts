/** Rejects with `toError()` if `result` takes longer. For what cannot be canceled. */
export async function within<T>(timeoutMs: number, result: Promise<T>, toError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(toError()), timeoutMs);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
