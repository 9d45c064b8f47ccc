import { RequestValidationPipe } from './request-validation.pipe';
import { isStorableText, rule, toStorableText } from './rules';

class Parcel {
  @rule('isList', 'Send a list.', (value) => Array.isArray(value), 'NO_RECIPIENTS')
  to: string[];

  @rule(
    'isShort',
    (value) => `${String(value)} is too long.`,
    (value) => typeof value === 'string' && value.length < 5,
    'INVALID_REQUEST',
  )
  name: string;
}

describe('a rule', () => {
  const validate = (body: object) => new RequestValidationPipe().transform(body, { type: 'body', metatype: Parcel });

  it('reports its own code and message', () => {
    expect(() => validate({ name: 'ann' })).toThrow(
      expect.objectContaining({ code: 'NO_RECIPIENTS', message: 'Send a list.' }) as Error,
    );
  });

  it('can name the invalid value in its message', () => {
    expect(() => validate({ to: [], name: 'elisabeth' })).toThrow('elisabeth is too long.');
    expect(validate({ to: [], name: 'ann' })).toEqual({ to: [], name: 'ann' });
  });
});

describe('text from outside', () => {
  it.each([
    ['a\0b', Infinity, 'a\ufffdb'],
    ['a\ud83d', Infinity, 'a\ufffd'],
    ['ab😀', 3, 'ab\ufffd'],
    ['ab😀', 4, 'ab😀'],
    ['abc', 2, 'ab'],
  ])('%j cut to %d characters is stored as %j', (text, maxLength, expected) => {
    expect(toStorableText(text, maxLength)).toBe(expected);
    expect(isStorableText(expected, maxLength)).toBe(true);
  });
});
