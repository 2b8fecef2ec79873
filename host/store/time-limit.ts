/** How often a limit is counted. More steps would only mean more timers. */
const STEPS = 5;

/**
 * Rejects if a result takes longer. The limit is for what is waited for, not for this process: it is counted in steps, and a
 * step counts once, however late its timer fires. So a process that was blocked or had no processor has looked for the
 * result several times before it gives up, and waits no longer than the limit and the time that it was blocked.
 */
export function inTime<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let steps = 0;
    let timer: ReturnType<typeof setTimeout>;
    const fail = () => reject(new Error(`no reply within ${timeoutMs} ms`));
    const wait = () => {
      timer = setTimeout(() => {
        steps++;
        // After the timers, the event loop reads what has arrived, and only then comes this.
        if (steps === STEPS) setImmediate(fail);
        else wait();
      }, timeoutMs / STEPS);
    };
    wait();
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Whether a result comes within a limit. One that is late is waited for all the same, for at most `patienceMs` more. Rejects if
 * it fails, or does not come at all.
 */
export async function comesInTime(
  result: Promise<unknown>,
  timeoutMs: number,
  patienceMs: number,
): Promise<boolean> {
  const isInTime = await inTime(result, timeoutMs).then(
    () => true,
    () => false,
  );
  await inTime(result, patienceMs);
  return isInTime;
}
