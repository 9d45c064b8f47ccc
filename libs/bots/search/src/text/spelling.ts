const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** From this length on, two edits are allowed. */
const TWO_SLIPS_LENGTH = 7;
/** Number of first letters in which two edits are looked up. */
const PREFIX = 7;
const ALPHABETIC = /^[\p{L}\p{M}]+$/u;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a folded word is eligible for spelling correction: not short, no number or code, no ideographs. */
export function isCorrectable(bare: string): boolean {
  return bare.length >= MIN_LENGTH && bare.length <= MAX_LENGTH && ALPHABETIC.test(bare) && !IDEOGRAPHIC.test(bare);
}

/**
 * Hashes of the word's variants with one letter deleted, and, for longer words, of its prefix with two letters deleted.
 * Two words with an edit distance of 1 share a key (symmetric delete). 32 bits; `scope` separates the keys of bots.
 */
export function spellingKeys(bare: string, scope: string): number[] {
  const seed = hash(scope, 0x811c9dc5);
  const variants = new Set([bare, ...withoutOne(bare)]);
  if (bare.length >= TWO_SLIPS_LENGTH) {
    const prefix = bare.slice(0, PREFIX);
    variants.clear();
    for (const one of withoutOne(bare)) variants.add(one);
    for (const one of [prefix, ...withoutOne(prefix)]) {
      variants.add(`^${one}`);
      for (const two of withoutOne(one)) variants.add(`^${two}`);
    }
    variants.add(bare);
  }
  const keys = new Set<number>();
  for (const variant of variants) keys.add(hash(variant, seed));
  return [...keys];
}

function withoutOne(word: string): string[] {
  const shorter: string[] = [];
  for (let at = 0; at < word.length; at++) shorter.push(word.slice(0, at) + word.slice(at + 1));
  return shorter;
}

/** FNV-1a, as a signed integer. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value | 0;
}

/** The maximum edit distance between two words of these lengths. */
export function allowedSlips(typed: string, meant: string): number {
  return Math.min(typed.length, meant.length) >= TWO_SLIPS_LENGTH ? 2 : 1;
}

/** Damerau-Levenshtein distance (optimal string alignment); above `most` it is `most` + 1. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
