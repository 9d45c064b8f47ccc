import { withLineFeeds } from './match-template';
import type { ParsedTemplate } from './render-template';

/** Texts and templates are compared up to this length, so that a comparison takes about a millisecond. */
const MAX_COMPARED = 500;
/** Number of templates that are compared: those that have most in common with the text. */
const MAX_CANDIDATES = 50;
const SHINGLE_LENGTH = 3;
/**
 * A changed character of the fixed text costs this much. A character of a value costs 1, because a template with little
 * fixed text is not close to every text that fits into its values.
 */
const EDIT_COST = 4;
const VALUE_COST = 1;

/**
 * Finds the template whose fixed text has the smallest edit distance to the text, in steps: it yields after each
 * template. Returns null if there are no templates. At most 50 templates are compared character by character.
 */
export function* closestTemplate<T extends { parsed: ParsedTemplate }>(
  templates: readonly T[],
  text: string,
): Generator<void, T | null> {
  const compared = withLineFeeds(text).slice(0, MAX_COMPARED);
  const shingles = shinglesOf(compared);
  let candidates: { template: T; fixed: Fixed; common: number }[] = [];
  for (const template of templates) {
    const fixed = fixedTextOf(template.parsed);
    candidates.push({ template, fixed, common: commonShingles(fixed, shingles) });
    if (candidates.length === 2 * MAX_CANDIDATES) candidates = best(candidates);
    yield;
  }
  let closest: T | null = null;
  let smallest = Infinity;
  for (const { template, fixed } of best(candidates)) {
    const distance = editDistance(fixed, compared, smallest);
    if (distance < smallest) [closest, smallest] = [template, distance];
    yield;
  }
  return closest;
}

/** The characters of a template. Null is a placeholder. */
type Fixed = readonly (string | null)[];

function fixedTextOf({ literals }: ParsedTemplate): Fixed {
  const fixed: (string | null)[] = [];
  for (const [index, literal] of literals.entries()) {
    if (index > 0) fixed.push(null);
    for (const character of withLineFeeds(literal)) {
      fixed.push(character);
      if (fixed.length >= MAX_COMPARED) return fixed;
    }
  }
  return fixed;
}

/**
 * Edit distance of the fixed text of a template to a text, where placeholders stand for any text. Returns Infinity for a
 * distance that is not below `limit`.
 */
export function editDistance(fixed: Fixed, text: string, limit: number): number {
  const characters = [...text];
  let row = Float64Array.from({ length: characters.length + 1 }, (_, index) => index * EDIT_COST);
  for (const expected of fixed) {
    const next = new Float64Array(row.length);
    next[0] = expected === null ? (row[0] ?? 0) : (row[0] ?? 0) + EDIT_COST;
    let smallest = next[0];
    for (let index = 1; index < row.length; index++) {
      const above = row[index] ?? 0;
      const left = next[index - 1] ?? 0;
      const diagonal = row[index - 1] ?? 0;
      const distance =
        expected === null
          ? Math.min(above, left + VALUE_COST)
          : Math.min(
              above + EDIT_COST,
              left + EDIT_COST,
              diagonal + (characters[index - 1] === expected ? 0 : EDIT_COST),
            );
      next[index] = distance;
      if (distance < smallest) smallest = distance;
    }
    if (smallest >= limit) return Infinity;
    row = next;
  }
  const distance = row.at(-1) ?? Infinity;
  return distance < limit ? distance : Infinity;
}

function best<C extends { common: number }>(candidates: readonly C[]): C[] {
  return candidates.toSorted((a, b) => b.common - a.common).slice(0, MAX_CANDIDATES);
}

function shinglesOf(text: string): Set<string> {
  const shingles = new Set<string>();
  for (let start = 0; start + SHINGLE_LENGTH <= text.length; start++) {
    shingles.add(text.slice(start, start + SHINGLE_LENGTH));
  }
  return shingles;
}

/** The shingles of the template that the text contains, less those that it does not contain. */
function commonShingles(fixed: Fixed, shingles: ReadonlySet<string>): number {
  let common = 0;
  for (const literal of fixed
    .map((character) => character ?? '\0')
    .join('')
    .split('\0')) {
    for (const shingle of shinglesOf(literal)) common += shingles.has(shingle) ? 1 : -1;
  }
  return common;
}
