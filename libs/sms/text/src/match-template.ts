import type { PlaceholderKind } from './placeholder-kinds';
import type { ParsedTemplate } from './render-template';
import { findDifference, type TemplateMatch } from './template-values';
import { prefixLengths, TextIndex } from './text-index';

/** Templates and texts are compared with these line ends. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/**
 * Compares a whole text, whose line ends are line feeds, with a template. Each placeholder stands for a value of its
 * kind; placeholders with the same token stand for the same value.
 *
 * The set of positions that the template can have reached is advanced literal by literal, and considers the length and
 * the characters of the values. Each step takes time linear in the text, and a template has at most 100 placeholders, so
 * no template can make the comparison slow. The form of values and repeated tokens are verified afterwards by a search
 * with a fixed number of steps.
 */
export function matchTemplate(template: ParsedTemplate, text: string): TemplateMatch {
  const { kinds } = template;
  const literals = template.literals.map(withLineFeeds);
  const [first = ''] = literals;
  const start = commonPrefix(first, text);
  if (start < first.length) return differs(first, start, start);
  const index = new TextIndex(text);
  // Marks the positions of the text at which the literals so far can end.
  let ends = new Uint8Array(text.length + 1);
  ends[first.length] = 1;
  let reached = first.length;
  for (let slot = 0; slot < kinds.length; slot++) {
    const starts = endsOfValues(ends, kinds[slot] ?? null, index);
    const literal = literals[slot + 1] ?? '';
    const isLast = slot === kinds.length - 1;
    const prefixes = prefixLengths(literal, text);
    const next = new Uint8Array(text.length + 1);
    let found = false;
    // Position of the difference if no position matches: the candidate with the longest common prefix.
    let differsAt = reached;
    let longest = 0;
    for (let position = 0; position <= text.length; position++) {
      if (!starts[position]) continue;
      const common = prefixes[position] ?? 0;
      if (common > longest) [differsAt, longest] = [position + common, common];
      if (common < literal.length || (isLast && position + common < text.length)) continue;
      next[position + common] = 1;
      found = true;
    }
    if (!found)
      return longest === 0 ? valueDiffers(kinds[slot], literal, reached) : differs(literal, longest, differsAt);
    ends = next;
    reached = ends.indexOf(1);
  }
  if (!ends[text.length]) return differs('', 0, reached);
  return findDifference({ ...template, literals }, index) ?? { matches: true, reached: text.length, expected: '' };
}

/** The difference if the literal does not follow any value. A value of a kind is probably not of its kind. */
function valueDiffers(kind: PlaceholderKind | null | undefined, literal: string, reached: number): TemplateMatch {
  const isTyped = kind !== null && kind !== undefined && kind !== 'var';
  return { matches: false, reached, expected: isTyped ? `{#${kind}#}` : literal };
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

/** The positions at which a value can end by its length and its characters, if it starts at a marked position. */
function endsOfValues(starts: Uint8Array, kind: PlaceholderKind | null, index: TextIndex): Uint8Array {
  const ends = new Uint8Array(starts.length);
  const { maxLength, accepts } = index.rangeOf(kind);
  // The number of code points before the nearest start, and whether the character before the position is valid.
  let nearest = -Infinity;
  let isValid = true;
  for (let position = 0; position < starts.length; position++) {
    const before = index.points[position] ?? -1;
    if (before < 0) continue;
    if (!isValid) nearest = -Infinity;
    if (starts[position]) nearest = before;
    if (before - nearest <= maxLength) ends[position] = 1;
    isValid = accepts[position] === 1;
  }
  return ends;
}
