/** A name may differ from what was typed in one of three characters. Beyond that, another name is as likely. */
const MAX_DIFFERENCE = 1 / 3;

/** The name that `typed` is probably a misspelling of, if there is one. Case and dashes do not count. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = simplified(typed);
  const distances = names.map((name) => distance(wanted, simplified(name)));
  const least = Math.min(...distances);
  return least <= wanted.length * MAX_DIFFERENCE ? names[distances.indexOf(least)] : undefined;
}

const simplified = (name: string) => name.replaceAll('-', '').toLowerCase();

/** Levenshtein distance: how many characters have to be inserted, deleted or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = Number(row[at]) + (character === to[at] ? 0 : 1);
      next.push(Math.min(replaced, Number(row[at + 1]) + 1, Number(next[at]) + 1));
    }
    row = next;
  }
  return Number(row[to.length]);
}
