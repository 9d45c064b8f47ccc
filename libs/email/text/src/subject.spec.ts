import { MAX_SUBJECT_LENGTH, subjectFault } from './subject';

describe('a subject', () => {
  it.each(['', 'Your receipt', 'Zażółć 日本 👍', '{{ a }}', 'x'.repeat(MAX_SUBJECT_LENGTH)])('can be %j', (text) =>
    expect(subjectFault(text)).toBeNull(),
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
    expect(subjectFault(text)).toMatch(/^must (have at most 998 characters|be one line)/),
  );
});
