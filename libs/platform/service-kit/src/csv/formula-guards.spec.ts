import fc from 'fast-check';
import { guardFormulas, withoutFormulaGuards } from './formula-guards';

describe('guardFormulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ['+4915112345678', '+4915112345678'],
    ['a;-b', "a;'-b"],
    ['\tx', "'\tx"],
    ["O'Hara", "O'Hara"],
  ])('writes %j as %j', (text, guarded) => expect(guardFormulas(text)).toBe(guarded));

  it('is reverted by withoutFormulaGuards', () => {
    const text = fc.string({ unit: fc.constantFrom(...`'";=+-@＝\t\r\n 1a.`), maxLength: 8 });
    fc.assert(
      fc.property(text, (original) => {
        expect(withoutFormulaGuards(guardFormulas(original))).toBe(original);
      }),
      { numRuns: 20_000 },
    );
  });
});
