/** Index of the last element that matches, or -1 (`findLastIndex`, which older browsers lack). */
export function lastIndexOf<T>(list: readonly T[], condition: (element: T) => boolean): number {
  for (let at = list.length - 1; at >= 0; at--) if (condition(list[at] as T)) return at;
  return -1;
}

export const lastOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1];
