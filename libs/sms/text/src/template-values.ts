import { PLACEHOLDER_KINDS, valueProblem, type PlaceholderKind } from './placeholder-kinds';
import type { ParsedTemplate } from './render-template';
import { occurrencesOf, valueLimit, type TextIndex } from './text-index';

/** The result of comparing a text with a template. */
export interface TemplateMatch {
  matches: boolean;
  /** The place where the text differs, in UTF-16 units from its start. */
  reached: number;
  /** What the template has there, up to its next placeholder; empty if the text is longer than the template. */
  expected: string;
}

/**
 * Finding values for repeated tokens takes exponential time in the worst case, so the search ends after a number of
 * steps that is linear in the text, and the text counts as not matched. Real templates take about as many steps as the
 * text has characters.
 */
const MAX_STEPS = 50_000;
const STEPS_PER_CHARACTER = 20;

/**
 * Searches for the values of the placeholders: each of the form of its kind, and placeholders with the same token with
 * the same value. The text matches the template in all other respects. Returns null if there are such values, otherwise
 * the last place at which they differ.
 */
export function findDifference(template: ParsedTemplate, index: TextIndex): TemplateMatch | null {
  const { kinds, slots, tokens } = template;
  const hasForms = kinds.some((kind) => kind !== null && PLACEHOLDER_KINDS[kind].form !== null);
  if (!hasForms && tokens.length === slots.length) return null;
  return new ValueSearch(template, index).run();
}

class ValueSearch {
  /** For each slot, the positions at which its value can end so that the rest of the text matches the template. */
  private readonly valueEnds: Uint8Array[];
  private readonly values: (string | null)[];
  /** The slots and positions without a solution. Null if tokens are repeated, because they depend on earlier values. */
  private readonly failed: Set<number> | null;
  private readonly maxSteps: number;
  private steps = 0;
  private difference: TemplateMatch;

  constructor(
    private readonly template: ParsedTemplate,
    private readonly index: TextIndex,
  ) {
    this.maxSteps = MAX_STEPS + STEPS_PER_CHARACTER * index.text.length;
    this.valueEnds = valueEndsOf(template, index);
    this.values = template.tokens.map(() => null);
    this.failed = template.tokens.length === template.slots.length ? new Set() : null;
    this.difference = { matches: false, reached: template.literals[0]?.length ?? 0, expected: '' };
  }

  run(): TemplateMatch | null {
    return this.search(0, this.template.literals[0]?.length ?? 0) ? null : this.difference;
  }

  private search(slot: number, start: number): boolean {
    if (slot === this.template.slots.length) return true;
    const key = slot * (this.index.text.length + 1) + start;
    if (this.failed?.has(key)) return false;
    const token = this.template.slots[slot] ?? 0;
    const known = this.values[token] ?? null;
    const found = known === null ? this.tryValues(slot, token, start) : this.tryValue(slot, start, known);
    if (!found) this.failed?.add(key);
    return found;
  }

  /** Tries all values of a token that has no value yet, the shortest first. */
  private tryValues(slot: number, token: number, start: number): boolean {
    const { text } = this.index;
    const kind = this.template.kinds[slot] ?? null;
    const limit = valueLimit(this.index, kind, start);
    const ends = this.valueEnds[slot];
    for (let end = start; end <= limit && this.steps < this.maxSteps; end++) {
      this.steps++;
      if (!ends?.[end]) continue;
      const value = text.slice(start, end);
      this.steps += value.length >> 6;
      if (!this.isOfKind(kind, value, start)) continue;
      this.values[token] = value;
      if (this.search(slot + 1, end + this.literalAfter(slot).length)) return true;
      this.values[token] = null;
    }
    return false;
  }

  /** Tries the value that an earlier placeholder with the same token has. */
  private tryValue(slot: number, start: number, value: string): boolean {
    const { text } = this.index;
    this.steps += 1 + (value.length >> 6);
    const end = start + value.length;
    if (!text.startsWith(value, start)) {
      let common = 0;
      while (value[common] === text[start + common] && start + common < text.length) common++;
      this.note(start + common, value.slice(common));
      return false;
    }
    if (!this.valueEnds[slot]?.[end]) {
      this.note(end, this.literalAfter(slot));
      return false;
    }
    if (!this.isOfKind(this.template.kinds[slot] ?? null, value, start)) return false;
    return this.search(slot + 1, end + this.literalAfter(slot).length);
  }

  private isOfKind(kind: PlaceholderKind | null, value: string, start: number): boolean {
    if (kind === null || valueProblem(kind, value) === null) return true;
    this.note(start, `{#${kind}#}`);
    return false;
  }

  private literalAfter(slot: number): string {
    return this.template.literals[slot + 1] ?? '';
  }

  private note(reached: number, expected: string): void {
    if (reached >= this.difference.reached) this.difference = { matches: false, reached, expected };
  }
}

function valueEndsOf({ literals, kinds }: ParsedTemplate, index: TextIndex): Uint8Array[] {
  const { text } = index;
  const valueEnds: Uint8Array[] = [];
  // The positions at which the text after the literal can begin, so that the rest matches.
  let rest = new Uint8Array(text.length + 1);
  rest[text.length] = 1;
  for (let slot = kinds.length - 1; slot >= 0; slot--) {
    const literal = literals[slot + 1] ?? '';
    const ends = occurrencesOf(literal, text);
    for (let position = 0; position < ends.length; position++) {
      if (!rest[position + literal.length] || (index.points[position] ?? -1) < 0) ends[position] = 0;
    }
    valueEnds.unshift(ends);
    rest = startsOfValues(ends, kinds[slot] ?? null, index);
  }
  return valueEnds;
}

/** The positions at which a value can start by its length and its characters, if it ends at a marked position. */
function startsOfValues(ends: Uint8Array, kind: PlaceholderKind | null, index: TextIndex): Uint8Array<ArrayBuffer> {
  const starts = new Uint8Array(ends.length);
  const { maxLength, accepts } = index.rangeOf(kind);
  let nearest = Infinity;
  for (let position = ends.length - 1; position >= 0; position--) {
    const before = index.points[position] ?? -1;
    if (before < 0) continue;
    if (!accepts[position]) nearest = Infinity;
    if (ends[position]) nearest = before;
    if (nearest - before <= maxLength) starts[position] = 1;
  }
  return starts;
}
