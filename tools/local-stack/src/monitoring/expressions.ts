/** Words of PromQL that are no names of metrics. */
const KEYWORDS = new Set(
  (
    'and or unless by without on ignoring group_left group_right offset bool inf nan atan2 start end ' +
    'sum min max avg count stddev stdvar topk bottomk quantile count_values group limitk'
  ).split(' '),
);
const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const MATCHERS = /\{([^}]*)\}/g;
const RANGE = /\[[^\]]*\]/g;
const OFFSET = /\boffset\s+\S+/g;
const NAME = /[a-zA-Z_:][\w:]*/g;

/** The metrics and labels that an expression of PromQL uses. */
export interface UsedNames {
  metrics: string[];
  labels: string[];
}

/** Finds the names in an expression. Variables of Grafana, such as `$service`, count as text. */
export function namesOf(expression: string): UsedNames {
  const text = expression.replace(STRING, '""').replace(RANGE, ' ').replace(OFFSET, ' ');
  const labels = new Set<string>();
  for (const [, list = ''] of text.matchAll(GROUPING)) for (const [name] of list.matchAll(NAME)) labels.add(name);
  for (const [, list = ''] of text.matchAll(MATCHERS))
    for (const matcher of list.split(',')) {
      const [label] = matcher.match(NAME) ?? [];
      if (label) labels.add(label);
    }
  const rest = text.replace(GROUPING, ' ').replace(MATCHERS, ' ').replace(/\$\w+/g, ' ');
  const metrics = new Set<string>();
  for (const match of rest.matchAll(NAME)) {
    const [name] = match;
    const isFunction = /^\s*\(/.test(rest.slice(match.index + name.length));
    // The exponent of a number, such as 1e9, belongs to it.
    const isPartOfNumber = /[\d.]$/.test(rest.slice(0, match.index));
    if (!isFunction && !isPartOfNumber && !KEYWORDS.has(name.toLowerCase())) metrics.add(name);
  }
  return { metrics: [...metrics], labels: [...labels] };
}
