import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { fixedLength, matchTemplate, withLineFeeds } from './match-template';
import { valueProblem } from './placeholder-kinds';
import { parseTemplate, renderTemplate, type ParsedTemplate } from './render-template';

const match = (body: string, text: string) => matchTemplate(parseTemplate(body), withLineFeeds(text));

/** Tries every value of every placeholder. */
function matchesNaively({ literals, kinds, slots }: ParsedTemplate, text: string): boolean {
  const search = (slot: number, rest: string, values: ReadonlyMap<number, string>): boolean => {
    if (slot === slots.length) return rest === '';
    const token = slots[slot] ?? -1;
    const kind = kinds[slot] ?? null;
    const literal = literals[slot + 1] ?? '';
    const characters = [...rest];
    for (let length = 0; length <= characters.length; length++) {
      const value = characters.slice(0, length).join('');
      const isValid = (values.get(token) ?? value) === value && (kind === null || valueProblem(kind, value) === null);
      const after = rest.slice(value.length);
      if (!isValid || !after.startsWith(literal)) continue;
      if (search(slot + 1, after.slice(literal.length), new Map([...values, [token, value]]))) return true;
    }
    return false;
  };
  const first = literals[0] ?? '';
  return text.startsWith(first) && search(0, text.slice(first.length), new Map());
}

describe('a text and a template', () => {
  it.each([
    ['Your code is {{code}}', 'Your code is 123456'],
    ['Your code is {{code}}.', 'Your code is 1.2.'],
    ['{#var#}', ''],
    ['{{a}}{{b}}', 'anything'],
    ['a{#var#}b', `a${'b'.repeat(31)}`],
    ['{{name}} and {{name}}', 'Ann and Ann'],
    ['Pin {{p}} again {{p}} end', 'Pin 77 again 77 end'],
    ['{{a}}{{b}}{{a}}', 'xyx'],
    ['{#var#}', '😀'.repeat(30)],
    ['Hi {#VAR#}', 'Hi Ann'],
    ['OTP {#numeric#}', 'OTP 123456'],
    ['Id {#alphanumeric#}.', 'Id AB 12.'],
    ['See {#url#} now', 'See https://example.com/a?b=c now'],
    ['See {#URL#}', 'See example.co.in/a'],
    ['App {#urlott#}', 'App https://example.com/app.apk'],
    ['Call {#cbn#}', 'Call 1800-123-4567'],
    ['Write to {#email#}.', 'Write to ann.lee+1@mail.example.com.'],
    ['{#numeric#}{#alphanumeric#}', '12ab'],
    ['One\r\nTwo {{x}}', 'One\nTwo 2'],
    ['One\nTwo {{x}}', 'One\r\nTwo 2'],
    ['no placeholder', 'no placeholder'],
  ])('%j matches %j', (body, text) => expect(match(body, text)).toMatchObject({ matches: true }));

  it.each([
    ['Your code is {{code}}', 'Your pin is 1', 5, 'code is '],
    ['Hi {{name}}, welcome!', 'Hi Ann, goodbye!', 8, 'welcome!'],
    ['Hi {{name}}, welcome!', 'Hi Ann, welcome! Bye', 16, ''],
    ['no placeholder', 'no place', 8, 'holder'],
    ['done', 'done.', 4, ''],
    ['{#var#}x', `${'a'.repeat(31)}x`, 0, 'x'],
    ['{#var#}', '😀'.repeat(31), 0, ''],
    ['Pin {{p}} again {{p}} end', 'Pin 77 again 78 end', 14, '7'],
    ['{{name}} and {{name}}', 'Ann and Bob', 8, 'Ann'],
    ['OTP {#numeric#} ok', 'OTP abc ok', 4, '{#numeric#}'],
    ['OTP {#numeric#}', 'OTP ', 4, '{#numeric#}'],
    ['Id {#alphanumeric#}', 'Id A-1', 3, '{#alphanumeric#}'],
    ['See {#url#}', 'See nothing', 4, '{#url#}'],
    ['See {#url#}', 'See https://example.com/a b', 4, '{#url#}'],
    ['Call {#cbn#}', 'Call me', 5, '{#cbn#}'],
    ['Write to {#email#}', 'Write to ann', 9, '{#email#}'],
  ])('%j differs from %j at %d, where %j is expected', (body, text, reached, expected) => {
    expect(match(body, text)).toEqual({ matches: false, reached, expected });
  });

  it.each([
    [
      'any values and {#var#}',
      ['{#var#}', '{{x}}', '{{y}}'],
      fc.oneof(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀'), maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 25, maxLength: 34 }),
      ),
    ],
    [
      'typed values',
      ['{#numeric#}', '{#alphanumeric#}', '{#cbn#}', '{#email#}', '{#url#}', '{{x}}'],
      fc.string({ unit: fc.constantFrom('1', '2', 'a', 'b', ' ', '@', '.', '-', 'c.de'), maxLength: 14 }),
    ],
  ])('have the same result as a matcher that tries every value: %s', (_, placeholders, text) => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1'), maxLength: 2 });
    const template = fc.tuple(part, fc.array(fc.tuple(fc.constantFrom(...placeholders), part), { maxLength: 4 }));
    const values = fc.array(fc.constantFrom('a', 'b1', '12', '112', 'a@b.de', 'b.de', ' '), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(template, fc.oneof(text, values), ([first, rest], given) => {
        const parsed = parseTemplate(first + rest.flat().join(''));
        // Half of the texts are the template with values, which are valid or not.
        const whole =
          typeof given === 'string'
            ? given
            : parsed.literals.map((literal, slot) => literal + (slot < rest.length ? given[slot] : '')).join('');
        const { matches, reached } = matchTemplate(parsed, whole);
        expect(matches).toBe(matchesNaively(parsed, whole));
        expect(reached).toBeLessThanOrEqual(whole.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['repeated tokens', '{{a}}{{b}}'.repeat(50)],
    ['repeated tokens with text between', '{{a}} {{b}} '.repeat(50)],
    ['typed placeholders', '{#alphanumeric#} {#numeric#}{#url#}'.repeat(33)],
    ['emails', '{#email#}'.repeat(100)],
  ])('take linear time for %s', (_, body) => {
    const parsed = parseTemplate(body);
    expectLinear(
      30_000,
      (size) => 'a a1'.repeat(size / 4),
      (text) => matchTemplate(parsed, `${text}!`),
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
