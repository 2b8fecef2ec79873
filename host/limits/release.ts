/** Returns what was acquired. Idempotent. */
export type Release = () => void;

/** A release that runs `action` at its first call only. */
export function once(action: () => void): Release {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
