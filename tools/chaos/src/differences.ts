/** Of two lists that must hold the same, each as often: what does not. */
export function differences(what: string, one: string[], other: string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of one) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) - 1);
  const wrong = [...counts].filter(([, count]) => count !== 0);
  if (wrong.length === 0) return [];
  const shown = wrong.slice(0, 3).map(([each, count]) => `${each} ${count > 0 ? `+${count}` : count}`);
  return [`${what} differ: ${wrong.length}, such as ${shown.join(', ')}`];
}
