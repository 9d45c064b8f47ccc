import fc from 'fast-check';
import { copyVariables, MAX_VALUE_COUNT, MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from './variable-values';

const refused = (variables: Record<string, unknown>, message: string) =>
  expect(() => copyVariables(variables)).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) as string }) as Error,
  );
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

describe('the variables', () => {
  it('are copied without prototypes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (variables) => {
        fc.pre(JSON.stringify(variables).isWellFormed() && !JSON.stringify(variables).includes('\\u0000'));
        const copy = copyVariables(variables);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(variables));
        expect(Object.getPrototypeOf(copy)).toBeNull();
      }),
    );
  });

  it('have limits on depth, number and length', () => {
    expect(() => copyVariables({ v: nested(MAX_VALUE_DEPTH - 1) })).not.toThrow();
    refused({ v: nested(MAX_VALUE_DEPTH) }, 'nest at most');
    refused({ v: nested(5_000) }, 'nest at most');
    expect(() => copyVariables({ v: Array(MAX_VALUE_COUNT - 1).fill(0) })).not.toThrow();
    refused({ v: Array(MAX_VALUE_COUNT).fill(0) }, 'contain at most 10000 values');
    expect(() => copyVariables({ v: 'x'.repeat(MAX_VALUE_LENGTH - 1) })).not.toThrow();
    refused({ v: 'x'.repeat(MAX_VALUE_LENGTH) }, 'characters in total');
    refused({ ['x'.repeat(MAX_VALUE_LENGTH + 1)]: 1 }, 'characters in total');
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    refused(endless, 'nest at most');
  });

  it.each([
    ['NUL', 'a\0'],
    ['an unpaired surrogate', '\ud83d'],
    ['infinity', 1 / 0],
    ['NaN', NaN],
    ['a function', () => 1],
    ['a date', new Date()],
    ['a symbol', Symbol('a')],
    ['an instance of a class', new (class Order {})()],
  ])('cannot contain %s', (_what, value) => {
    refused({ v: value }, 'variables.v: must');
    refused({ list: [{ v: value }] }, 'variables.list[0].v: must');
  });
});
