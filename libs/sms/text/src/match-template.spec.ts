import fc from 'fast-check';
import { fixedLength, matchTemplate } from './match-template';
import { parseTemplate, renderTemplate } from './render-template';

const match = (body: string, text: string) => matchTemplate(parseTemplate(body), text);

/** Tries every length of every value. */
function matchesNaively(literals: readonly string[], limits: readonly (number | null)[], text: string): boolean {
  const [literal = '', ...rest] = literals;
  if (!text.startsWith(literal)) return false;
  const after = text.slice(literal.length);
  if (rest.length === 0) return after === '';
  const [limit, ...further] = limits;
  for (let length = 0; length <= Math.min(after.length, limit ?? Infinity); length++) {
    if (matchesNaively(rest, further, after.slice(length))) return true;
  }
  return false;
}

describe('a text and a template', () => {
  it.each([
    ['Your code is {{code}}', 'Your code is 123456'],
    ['Your code is {{code}}.', 'Your code is 1.2.'],
    ['{#var#}', ''],
    ['{{a}}{{b}}', 'anything'],
    ['a{#var#}b', `a${'b'.repeat(31)}`],
    ['{{name}} and {{name}}', 'Ann and Bob'],
    ['no placeholder', 'no placeholder'],
  ])('%j matches %j', (body, text) => expect(match(body, text)).toMatchObject({ matches: true }));

  it.each([
    ['Your code is {{code}}', 'Your pin is 1', 5, 'code is '],
    ['Hi {{name}}, welcome!', 'Hi Ann, goodbye!', 8, 'welcome!'],
    ['Hi {{name}}, welcome!', 'Hi Ann, welcome! Bye', 16, ''],
    ['no placeholder', 'no place', 8, 'holder'],
    ['done', 'done.', 4, ''],
    ['{#var#}x', `${'a'.repeat(31)}x`, 0, 'x'],
  ])('%j differs from %j at %d, where %j is expected', (body, text, reached, expected) => {
    expect(match(body, text)).toEqual({ matches: false, reached, expected });
  });

  it('have the same result as a matcher that tries every value', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 });
    const template = fc.tuple(part, fc.array(fc.tuple(fc.constantFrom('{#var#}', '{{x}}'), part), { maxLength: 4 }));
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 25, maxLength: 70 }),
    );
    fc.assert(
      fc.property(template, text, ([first, rest], given) => {
        const parsed = parseTemplate(first + rest.flat().join(''));
        const { matches, reached } = matchTemplate(parsed, given);
        expect(matches).toBe(matchesNaively(parsed.literals, parsed.limits, given));
        expect(reached).toBeLessThanOrEqual(given.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('match for every value that was rendered', () => {
    const parsed = parseTemplate('Dear {{name}}, pay {#var#} by {#var#}.');
    const short = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80 }), short, short, (name, var1, var2) => {
        const rendered = renderTemplate(parsed, new Map(Object.entries({ name, var1, var2 })));
        expect('body' in rendered && matchTemplate(parsed, rendered.body).matches).toBe(true);
      }),
    );
  });

  it('are compared without placeholders as fixed text', () => {
    expect(fixedLength(parseTemplate('Hi {{name}}, {#var#}!'))).toBe(6);
  });
});
