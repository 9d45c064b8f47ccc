import fc from 'fast-check';
import { JsonStructure } from './json-structure';

describe('row 1: the structure of a JSON text', () => {
  /** Counts the parsed value: containers, and separators of items and members. */
  const valuesOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const children = Object.values(value);
    return 1 + Math.max(0, children.length - 1) + children.reduce<number>((sum, child) => sum + valuesOf(child), 0);
  };
  const accepts = (text: string, maxValues: number, pieceLength: number): boolean => {
    const octets = Buffer.from(text);
    const structure = new JsonStructure({ maxValues });
    try {
      for (let at = 0; at < octets.length; at += pieceLength) structure.add(octets.subarray(at, at + pieceLength));
      return true;
    } catch {
      return false;
    }
  };

  it('is counted like the parsed value, for chunks of any length', () => {
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

  it('has at most 20,000 members in an object, and any number of items in an array', () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
    expect(accepts(object(20_000), 100_000, 65_536)).toBe(true);
    expect(accepts(object(20_001), 100_000, 65_536)).toBe(false);
    expect(accepts(`[${object(15_000)},${object(15_000)}]`, 100_000, 65_536)).toBe(true);
    expect(accepts(`[${'1,'.repeat(50_000)}1]`, 100_000, 65_536)).toBe(true);
  });

  it('has strings of limited length, for chunks of any length', () => {
    const add = (length: number) => {
      const structure = new JsonStructure({ maxStringBytes: 10 });
      for (const octet of Buffer.from(`["${'x'.repeat(length)}","y"]`)) structure.add(Buffer.from([octet]));
    };
    expect(() => add(9)).not.toThrow();
    expect(() => add(11)).toThrow('10 bytes');
  });
});
