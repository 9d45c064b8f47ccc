import { checkSubject, MAX_SUBJECT_LENGTH } from './subject';

describe('a subject', () => {
  it.each(['', 'Your receipt', 'Zażółć 日本 👍', '{{ a }}', 'x'.repeat(MAX_SUBJECT_LENGTH)])('can be %j', (text) =>
    expect(checkSubject(text)).toBe(text),
  );

  it.each([
    ['a carriage return', 'a\rb'],
    ['a line feed', 'a\nb'],
    ['a folded line', 'a\r\n b'],
    ['NUL', 'a\0'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\x7f'],
    ['a next line', 'a\x85b'],
    ['a line separator', 'a\u2028b'],
    ['an unpaired surrogate', 'a\ud83d'],
    ['999 characters', 'x'.repeat(MAX_SUBJECT_LENGTH + 1)],
  ])('cannot have %s', (_what, text) =>
    expect(() => checkSubject(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error),
  );
});
