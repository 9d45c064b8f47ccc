import fc from 'fast-check';
import { JsonStructure } from './json-structure';

describe('row 1: the structure of a JSON text', () => {
  /** Counts as `JSON.parse` would see it: containers, and separators of items and members. */
  const valuesOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const children = Object.values(value);
    return 1 + Math.max(0, children.length - 1) + children.reduce<number>((sum, child) => sum + valuesOf(child), 0);
  };
  const accepts = (text: string, maxValues: number, pieceLength: number): boolean => {
    const octets = Buffer.from(text);
    const structure = new JsonStructure(maxValues);
    try {
      for (let at = 0; at < octets.length; at += pieceLength) structure.add(octets.subarray(at, at + pieceLength));
      return true;
    } catch {
      return false;
    }
  };

  it('is counted like the parsed value, in pieces of any length', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', '}', 'a', 'é') });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(texts, fc.integer(), fc.array(tie('any')), fc.dictionary(texts, tie('any'))),
    })).any;
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (json, pieceLength) => {
        const count = valuesOf(json);
        const text = JSON.stringify(json);
        expect(accepts(text, count, pieceLength)).toBe(true);
        expect(accepts(text, count - 1, pieceLength)).toBe(count === 0);
      }),
      { numRuns: 500 },
    );
  });
});
