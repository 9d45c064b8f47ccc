import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { plainText } from './plain-text';

describe('plainText', () => {
  it('is one line without control characters and bidirectional controls', () => {
    expect(plainText(' a\r\nb\0c\u202ed\u2028e ')).toBe('a b cd e');
    expect(plainText('عربي Ünï 😀')).toBe('عربي Ünï 😀');
  });

  it('truncates a long text with an ellipsis between characters', () => {
    expect(plainText('abcdef', 5)).toBe('abcd…');
    expect(plainText('abcde', 5)).toBe('abcde');
    expect(plainText('😀😀😀😀', 3)).toBe('😀😀…');
  });

  it('is well-formed, one line and not longer than the limit, for any input', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, maxLength) => {
          const plain = plainText(text, maxLength);
          expect(plain.isWellFormed()).toBe(true);
          expect(plain).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
          expect(Array.from(plain).length).toBeLessThanOrEqual(maxLength);
        },
      ),
    );
  });
});
