/** Units that Prometheus requires as base units, by their abbreviations and multiples. */
const OTHER_UNITS =
  /_(?:ms|us|ns|s|sec|secs|milliseconds|microseconds|minutes|hours|days|kb|mb|kib|mib|kilobytes|megabytes|percent)(?:_|$)/;
const TYPE_WORDS = /_(?:gauge|counter|histogram|summary)(?:_|$)/;
const RESERVED = /_(?:bucket|count|sum)$/;

/** Returns the violations of the naming conventions in a Prometheus text, as `promtool check metrics` does. */
export function metricProblems(text: string): string[] {
  const problems: string[] = [];
  const help = new Map([...text.matchAll(/^# HELP (\S+) ?(.*)$/gm)].map(([, name, words]) => [name, words]));
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const report = (problem: string) => problems.push(`${name}: ${problem}`);
    if (!help.get(name)) report('has no help text');
    if (type === 'counter' && !name.endsWith('_total')) report('is a counter without the suffix _total');
    if (type !== 'counter' && name.endsWith('_total')) report(`is a ${type} with the suffix of counters`);
    if (RESERVED.test(name)) report('has a suffix of the series of a histogram');
    if (!/^[a-z][a-z0-9_]*$/.test(name)) report('is not in snake case');
    if (TYPE_WORDS.test(name)) report('names its type');
    if (OTHER_UNITS.test(name)) report('has a unit that is not a base unit');
  }
  return problems;
}
