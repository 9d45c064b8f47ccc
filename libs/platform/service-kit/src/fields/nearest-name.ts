/** A name of more characters is not compared with others. */
const MAX_LENGTH = 64;

/** A name without case, `_` and `-`, in which the spellings of the same name are equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/**
 * The candidate that was probably meant by a name: another spelling of the name, else the one with the smallest edit distance if
 * it is small enough, else one that begins with the name or with which the name begins. Null if there is none.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  const plain = plainName(name);
  if (plain === '' || plain.length > MAX_LENGTH) return null;
  const known = [...candidates].map((candidate) => ({ candidate, plain: plainName(candidate) }));
  const [nearest] = known
    .map((one) => ({ ...one, distance: editDistance(plain, one.plain) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest && nearest.distance <= Math.floor(plain.length * 0.4)) return nearest.candidate;
  const begins = ({ plain: other }: { plain: string }) =>
    Math.min(plain.length, other.length) > 2 && (other.startsWith(plain) || plain.startsWith(other));
  return known.find(begins)?.candidate ?? null;
}

/** The number of characters to insert, delete or replace, or of neighbours to swap, that turns one text into another. */
export function editDistance(a: string, b: string): number {
  let before = [] as number[];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const deleted = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (before[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, deleted, inserted, swapped));
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
