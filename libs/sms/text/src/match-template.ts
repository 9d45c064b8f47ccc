import type { ParsedTemplate } from './render-template';

/** The result of comparing a text with a template. */
export interface TemplateMatch {
  matches: boolean;
  /** The place where the text differs, in UTF-16 units from its start. */
  reached: number;
  /** The template from the first difference to the next placeholder; empty if the text is longer than the template. */
  expected: string;
}

/**
 * Compares a whole text with a template. Each placeholder stands for any text; `{#var#}` for at most 30 UTF-16 units.
 * Values are independent of each other, also those of placeholders with the same token.
 *
 * The set of positions that the template can have reached is advanced literal by literal. Each step takes time linear in
 * the text, and a template has at most 100 placeholders, so no template can make the comparison slow.
 */
export function matchTemplate({ literals, limits }: ParsedTemplate, text: string): TemplateMatch {
  const [first = ''] = literals;
  const start = commonPrefix(first, text);
  if (start < first.length) return differs(first, start, start);
  // Marks the positions of the text at which the literals so far can end.
  let ends = new Uint8Array(text.length + 1);
  ends[first.length] = 1;
  let reached = first.length;
  for (let slot = 0; slot < limits.length; slot++) {
    const starts = withinLimit(ends, limits[slot] ?? null);
    const literal = literals[slot + 1] ?? '';
    const isLast = slot === limits.length - 1;
    const prefixes = prefixLengths(literal, text);
    const next = new Uint8Array(text.length + 1);
    let found = false;
    // Position of the difference if no position matches: the candidate with the longest common prefix.
    let [differsAt, longest] = [reached, 0];
    for (let position = 0; position <= text.length; position++) {
      if (!starts[position]) continue;
      const common = prefixes[position] ?? 0;
      if (common > longest) [differsAt, longest] = [position + common, common];
      if (common < literal.length || (isLast && position + common < text.length)) continue;
      next[position + common] = 1;
      found = true;
    }
    if (!found) return differs(literal, longest, differsAt);
    ends = next;
    reached = ends.indexOf(1);
  }
  return ends[text.length] ? { matches: true, reached: text.length, expected: '' } : differs('', 0, reached);
}

/** Length of the text of a template without its placeholders. */
export function fixedLength({ literals }: ParsedTemplate): number {
  return literals.reduce((sum, literal) => sum + literal.length, 0);
}

function differs(literal: string, common: number, reached: number): TemplateMatch {
  return { matches: false, reached, expected: literal.slice(common) };
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return length;
}

/** The positions that a value of at most `limit` units can end at, if it starts at one of the marked positions. */
function withinLimit(marked: Uint8Array, limit: number | null): Uint8Array {
  const reachable = new Uint8Array(marked.length);
  let last = -Infinity;
  for (let position = 0; position < marked.length; position++) {
    if (marked[position]) last = position;
    if (position - last <= (limit ?? Infinity) && last !== -Infinity) reachable[position] = 1;
  }
  return reachable;
}

/** For each position of the text, the length of the match with the start of the literal (the Z algorithm). */
function prefixLengths(literal: string, text: string): Uint32Array {
  const joined = literal + text;
  const lengths = new Uint32Array(joined.length + 1);
  for (let position = 1, left = 0, right = 0; position < joined.length; position++) {
    let length = position < right ? Math.min(right - position, lengths[position - left] ?? 0) : 0;
    while (joined[length] === joined[position + length] && position + length < joined.length) length++;
    if (position + length > right) [left, right] = [position, position + length];
    lengths[position] = length;
  }
  const ofText = lengths.subarray(literal.length);
  for (let position = 0; position < ofText.length; position++) {
    if ((ofText[position] ?? 0) > literal.length) ofText[position] = literal.length;
  }
  if (literal.length === 0) ofText.fill(0);
  return ofText;
}
