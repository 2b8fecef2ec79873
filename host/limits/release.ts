/** Gives back what was taken. Harmless when called again. */
export type Release = () => void;

export function once(action: () => void): Release {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
