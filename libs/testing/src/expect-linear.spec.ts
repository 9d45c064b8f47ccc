import { expectLinear } from './expect-linear';

const count = (turns: number): number => {
  let sum = 0;
  for (let turn = 0; turn < turns; turn++) sum = (sum * 31 + turn) | 0;
  return sum;
};

describe('expectLinear', () => {
  it('accepts linear work, and work that is fast for any size', () => {
    expectLinear(10_000_000, (size) => size, count);
    expectLinear(
      1_000_000,
      (size) => 'x'.repeat(size),
      (text) => text.length,
    );
  });

  it('rejects quadratic work', () => {
    const quadratic = (size: number): number => count(size * size);
    expect(() => expectLinear(12_000, (size) => size, quadratic)).toThrow('grows faster than its input');
  });
});
