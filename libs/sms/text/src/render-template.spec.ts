import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { parseTemplate, renderTemplate } from './render-template';
import { MAX_BODY_UNITS } from './segment-count';

const render = (body: string, variables: Record<string, string> = {}, message?: string) =>
  renderTemplate(parseTemplate(body), new Map(Object.entries(variables)), message);

describe('parseTemplate', () => {
  it.each([
    ['Hello', []],
    ['', []],
    ['Hi {{name}}, {{code}}', ['name', 'code']],
    ['{{a}} {{b}} {{a}}', ['a', 'b']],
    ['{{ a }}{{\ta }}{{a}}', ['a']],
    ['{{order.id}} {{first-name}} {{last_name}} {{2}}', ['order.id', 'first-name', 'last_name', '2']],
    ['{{prénom}} {{नाम}}', ['prénom', 'नाम']],
    ['Your OTP is {#var#}', ['var']],
    ['{#var#} of {#var#}: {#var#}', ['var1', 'var2', 'var3']],
    ['{{name}}: {#var#}', ['name', 'var']],
    ['Hi {#VAR#}', ['var']],
    ['Hi {# var #}', ['var']],
    ['OTP {#numeric#}', ['numeric']],
    ['{#Numeric#} of {#NUMERIC#} in {#url#}', ['numeric1', 'numeric2', 'url']],
    ['{#alphanumeric#} {#urlott#} {#cbn#} {#email#} {#number#}', ['alphanumeric', 'urlott', 'cbn', 'email', 'numeric']],
    ['{#var#} {#numeric#} {#var#}', ['var1', 'numeric', 'var2']],
    ['{#var#} {{name}} {#var#}', ['var1', 'name', 'var2']],
    ['{{var1}} {#var#} {#var#}', ['var1', 'var2']],
    ['{{{a}}}', ['a']],
    ['{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
  ])('finds in %j the tokens %j', (body, tokens) => expect(parseTemplate(body).tokens).toEqual(tokens));

  it.each([
    '{{}}',
    '{{ }}',
    '{{a b}}',
    '{{a',
    '{{a}',
    '{a}',
    '{ {a} }',
    '{{a\n}}',
    '{{a}\u200b}',
    '{{#a}}',
    '{{a|upper}}',
    '{{a()}}',
    '{{a[0]}}',
    '${a}',
    '{#var}',
    '{#name#}',
    '{{{{',
    '}}{{',
  ])('keeps %j as text', (body) => {
    expect(parseTemplate(body).tokens).toEqual([]);
    expect(render(body)).toEqual({ body });
  });

  it('returns a frozen result', () => {
    const parsed = parseTemplate('{{a}}');
    const { tokens, names, literals, slots, kinds } = parsed;
    expect([parsed, tokens, names, ...names, literals, slots, kinds].every(Object.isFrozen)).toBe(true);
  });

  it.each<[string, number, (pieces: number) => string]>([
    ['braces', 300_000, (n) => '{'.repeat(n)],
    ['unclosed placeholders', 100_000, (n) => '{{a'.repeat(n)],
    ['one very long token', 300_000, (n) => '{{' + 'a'.repeat(n)],
    ['many spaces', 300_000, (n) => '{{' + ' '.repeat(n)],
    ['spaces after a token', 300, (n) => ('{{a' + ' '.repeat(1000)).repeat(n)],
    ['many tokens', 30_000, (n) => Array.from({ length: n }, (_, i) => `{{t${i}}}`).join('')],
  ])('takes linear time for %s', (_what, pieces, bodyOf) => expectLinear(pieces, bodyOf, parseTemplate));
});

describe('renderTemplate', () => {
  it('inserts every value at all its placeholders', () => {
    expect(render('{{a}}-{{b}}-{{ a }}!', { a: '1', b: '2', c: '3' })).toEqual({ body: '1-2-1!' });
    expect(render('{#var#} of {#var#}', { var1: '1', var2: '2' })).toEqual({ body: '1 of 2' });
  });

  it('accepts an empty value', () => {
    expect(render('[{{a}}]', { a: '' }, 'unused')).toEqual({ body: '[]' });
    expect(render('[{{a}}]', {}, '')).toEqual({ body: '[]' });
  });

  it('lists each missing token once, in template order', () => {
    expect(render('{{b}} {{a}} {{b}} {{c}}', { a: '1' })).toEqual({ missing: ['b', 'c'] });
    expect(render('{#var#} {#var#}', { var: '1' })).toEqual({ missing: ['var1', 'var2'] });
  });

  it('accepts the value of a single positional placeholder as var or var1', () => {
    expect(render('{#var#}', { var: 'x' })).toEqual({ body: 'x' });
    expect(render('{#var#}', { var1: 'x' }, 'unused')).toEqual({ body: 'x' });
    expect(render('{#var#}', { var: 'x', var1: 'y' })).toEqual({ body: 'x' });
  });

  it('does not use var1 for two different tokens', () => {
    expect(render('{{var1}} {#var#}', { var1: 'x' })).toEqual({ missing: ['var'] });
    expect(render('{{var}}', { var1: 'x' })).toEqual({ missing: ['var'] });
  });

  it('accepts the variables of a template whose {#var#} were replaced by typed placeholders', () => {
    expect(render('OTP {#numeric#}', { var: '1' })).toEqual({ body: 'OTP 1' });
    expect(render('OTP {#numeric#}', { var1: '1' })).toEqual({ body: 'OTP 1' });
    expect(render('OTP {#numeric#}', { numeric1: '1', var: '2' })).toEqual({ body: 'OTP 1' });
    expect(render('{#numeric#} {#email#}', { var1: '1', var2: 'a@b.de' })).toEqual({ body: '1 a@b.de' });
    // With {#var#} in the same template, var1 could be two variables.
    expect(render('{#numeric#} {#var#}', { var1: '1' })).toEqual({ missing: ['numeric'] });
  });

  it.each([
    ['{#var#}', '😀'.repeat(16), null],
    ['{#var#}', 'x'.repeat(30), null],
    ['{#var#}', '', null],
    ['{#var#}', 'x'.repeat(31), 'must have at most 30 characters, but it has 31'],
    ['{#VAR#}', '😀'.repeat(31), 'must have at most 30 characters, but it has 31'],
    ['{#numeric#}', '0123456789', null],
    ['{#numeric#}', '12.50', 'must be digits only'],
    ['{#numeric#}', '', 'must be digits only'],
    ['{#numeric#}', '१२', 'must be digits only'],
    ['{#numeric#}', '1'.repeat(31), 'must have at most 30 characters, but it has 31'],
    ['{#alphanumeric#}', 'Order AB12', null],
    ['{#alphanumeric#}', 'नमस्ते 1', null],
    ['{#alphanumeric#}', 'AB-12', 'must be letters, digits and spaces only'],
    ['{#alphanumeric#}', ' ', 'must be letters, digits and spaces only'],
    ['{#url#}', 'https://example.com/track/1234567890?a=b#c', null],
    ['{#url#}', 'HTTP://exämple.co.in:8080', null],
    ['{#url#}', 'vg.in/a1', null],
    ['{#url#}', 'ftp://example.com', 'must be a web address, such as https://example.com/a'],
    ['{#url#}', 'javascript:alert(1)', 'must be a web address, such as https://example.com/a'],
    ['{#url#}', 'https://localhost', 'must be a web address, such as https://example.com/a'],
    ['{#url#}', `example.com/${'a'.repeat(109)}`, 'must have at most 120 characters, but it has 121'],
    ['{#urlott#}', 'market://details?id=com.example', null],
    ['{#urlott#}', 'play.google.com/store/apps/details?id=com.example', null],
    ['{#urlott#}', 'my app', 'must be the address of an app or of its download, such as https://example.com/app.apk'],
    ['{#cbn#}', '+91 98765 43210', null],
    ['{#cbn#}', '022-1234567', null],
    ['{#cbn#}', '1909', null],
    ['{#cbn#}', '12', 'must be a phone number, such as 1800-123-4567'],
    ['{#cbn#}', '1800-CALL', 'must be a phone number, such as 1800-123-4567'],
    ['{#email#}', 'ann.lee+1@mail.example.com', null],
    ['{#email#}', 'ann@', 'must be an email address'],
    ['{#email#}', 'Ann <ann@example.com>', 'must be an email address'],
  ])('checks the kind and the length of values: %s with %j', (body, value, problem) => {
    const { tokens } = parseTemplate(body);
    const placeholder = body.toLowerCase();
    expect(render(body, { [tokens[0] ?? '']: value })).toEqual(
      problem === null ? { body: value } : { invalid: [{ token: tokens[0], placeholder, problem }] },
    );
  });

  it.each(['{#url#}', '{#urlott#}', '{#email#}', '{#cbn#}', '{#alphanumeric#}'])(
    'checks a long %s in linear time',
    (body) => {
      const parsed = parseTemplate(body);
      for (const piece of ['a', 'a.', '-', '1 ', '@', '/']) {
        expectLinear(
          100_000,
          (size) => piece.repeat(size / piece.length),
          (value) => renderTemplate(parsed, new Map([[parsed.tokens[0] ?? '', value]])),
        );
      }
    },
  );

  it('uses the message as the value of the only token if the variables do not contain it', () => {
    expect(render('Code {{code}}, again {{code}}', {}, '42')).toEqual({ body: 'Code 42, again 42' });
    expect(render('Code {#var#}', {}, '42')).toEqual({ body: 'Code 42' });
    expect(render('Code {{code}}', { code: '7' }, '42')).toEqual({ body: 'Code 7' });
  });

  it('ignores the message if there is no token or more than one', () => {
    expect(render('Hello', {}, '42')).toEqual({ body: 'Hello' });
    expect(render('{{a}} {{b}}', { a: '1' }, '42')).toEqual({ missing: ['b'] });
    expect(render('{#var#} {#var#}', { var1: '1' }, '42')).toEqual({ missing: ['var2'] });
  });

  it('does not expand placeholders inside values', () => {
    expect(render('{{a}}{{b}}', { a: '{{b}}', b: '{#var#}' })).toEqual({ body: '{{b}}{#var#}' });
    expect(render('{{{a}}}', { a: '{b}' })).toEqual({ body: '{{b}}' });
    expect(render('{{a}}', { a: "$& $1 $' $$" })).toEqual({ body: "$& $1 $' $$" });
  });

  it('does not read inherited properties', () => {
    expect(render('{{constructor}} {{__proto__}} {{toString}}')).toEqual({
      missing: ['constructor', '__proto__', 'toString'],
    });
  });

  it('stops early if the body would be too long to send', () => {
    const template = parseTemplate('{{a}}'.repeat(100_000));
    expect(renderTemplate(template, new Map([['a', 'x'.repeat(1_000_000)]]))).toEqual({ tooLong: true });
    expect(render('x'.repeat(MAX_BODY_UNITS))).toEqual({ body: 'x'.repeat(MAX_BODY_UNITS) });
    expect(render('x'.repeat(MAX_BODY_UNITS + 1))).toEqual({ tooLong: true });
    expect(render('{{a}}', { a: 'x'.repeat(MAX_BODY_UNITS + 1) })).toEqual({ tooLong: true });
  });

  it('joins the text pieces and values in order', () => {
    const token = fc.stringMatching(/^[A-Za-z0-9_.-]{1,10}$/);
    const text = fc.string({ unit: anyCodePoint }).map((value) => value.replaceAll('{', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, token)), text, fc.string(), (pairs, tail, value) => {
        const body = pairs.map(([literal, name]) => `${literal}{{${name}}}`).join('') + tail;
        const parsed = parseTemplate(body);
        const names = [...new Set(pairs.map(([, name]) => name))];
        expect(parsed.tokens).toEqual(names);
        const expected = pairs.map(([literal, name]) => literal + name + value).join('') + tail;
        expect(renderTemplate(parsed, new Map(names.map((name) => [name, name + value])))).toEqual({ body: expected });
      }),
    );
  });

  it('returns a body without placeholders unchanged, and renders any body with all values', () => {
    const body = fc.string({
      unit: fc.constantFrom('{', '}', '{{', '}}', 'a', ' ', '{#var#}', '{#VAR#}', '#', 'var'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(body, (source) => {
        const parsed = parseTemplate(source);
        const result = renderTemplate(parsed, new Map(parsed.tokens.map((name) => [name, '\u0001'])));
        expect(result).toHaveProperty('body');
        expect(parsed.literals.join('').length).toBeLessThanOrEqual(source.length);
        if (parsed.tokens.length === 0) expect(result).toEqual({ body: source });
      }),
    );
  });
});
