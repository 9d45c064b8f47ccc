import { PLACEHOLDER_KINDS, type PlaceholderKind } from './placeholder-kinds';

/** The values of a kind: their maximum length in code points, and for each position whether its character is valid. */
interface ValueRange {
  maxLength: number;
  accepts: Uint8Array;
}

/** What is computed once for a text that is compared with a template. */
export class TextIndex {
  /** For each position, the number of code points before it; -1 within a surrogate pair, where no value ends. */
  readonly points: Int32Array;
  private readonly ranges = new Map<PlaceholderKind | null, ValueRange>();

  constructor(readonly text: string) {
    this.points = new Int32Array(text.length + 1).fill(-1);
    let position = 0;
    let count = 0;
    for (const character of text) {
      this.points[position] = count;
      position += character.length;
      count++;
    }
    this.points[position] = count;
  }

  /** `null`: any text of any length. */
  rangeOf(kind: PlaceholderKind | null): ValueRange {
    const known = this.ranges.get(kind);
    if (known) return known;
    const { maxLength, characters } = kind === null ? ANY_VALUE : PLACEHOLDER_KINDS[kind];
    const accepts = new Uint8Array(this.text.length + 1).fill(characters === null ? 1 : 0);
    let position = 0;
    if (characters !== null) {
      for (const character of this.text) {
        if (characters.test(character)) accepts[position] = 1;
        position += character.length;
      }
    }
    const range = { maxLength, accepts };
    this.ranges.set(kind, range);
    return range;
  }
}

const ANY_VALUE = { maxLength: Number.MAX_SAFE_INTEGER, characters: null };

/** The last position at which a value that starts here can end, by its length and its characters. */
export function valueLimit(index: TextIndex, kind: PlaceholderKind | null, start: number): number {
  if (kind === null) return index.text.length;
  const { maxLength, accepts } = index.rangeOf(kind);
  const first = index.points[start] ?? 0;
  let end = start;
  let limit = start;
  while (end < index.text.length && accepts[end]) {
    do end++;
    while ((index.points[end] ?? -1) < 0);
    if ((index.points[end] ?? 0) - first > maxLength) break;
    limit = end;
  }
  return limit;
}

/** Marks the positions at which the literal occurs in the text. */
export function occurrencesOf(literal: string, text: string): Uint8Array<ArrayBuffer> {
  const prefixes = prefixLengths(literal, text);
  const marked = new Uint8Array(text.length + 1);
  for (let position = 0; position <= text.length; position++) {
    if (prefixes[position] === literal.length) marked[position] = 1;
  }
  return marked;
}

/** For each position of the text, the length of the match with the start of the literal (the Z algorithm). */
export function prefixLengths(literal: string, text: string): Uint32Array {
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
