import { isFlat, trendOf } from './trend';

const ALLOWED = { share: 0.1, amount: 1 };
const samples = (value: (index: number) => number) =>
  Array.from({ length: 60 }, (_, index) => ({ atSeconds: index * 10, value: value(index) }));
/** Repeatable noise between -1 and 1. */
const noise = (index: number) => Math.sin(index * 12.9898) * Math.cos(index * 78.233);

describe('the trend of a measurement', () => {
  it('is the growth of the regression line', () => {
    const { mean, growth, uncertainty } = trendOf(samples((index) => 100 + index));
    expect(mean).toBeCloseTo(129.5);
    expect(growth).toBeCloseTo(59);
    expect(uncertainty).toBeCloseTo(0);
  });

  it('is flat while the values only vary', () => {
    expect(isFlat(trendOf(samples((index) => 100 + 30 * noise(index))), ALLOWED)).toBe(true);
    expect(isFlat(trendOf(samples((index) => 100 - index)), ALLOWED)).toBe(true);
  });

  it('is not flat when values grow within their noise', () => {
    expect(isFlat(trendOf(samples((index) => 100 + index + 10 * noise(index))), ALLOWED)).toBe(false);
  });

  it('ignores a growth of less than the allowed amount', () => {
    expect(isFlat(trendOf(samples((index) => index / 100)), ALLOWED)).toBe(true);
  });

  it('needs three samples', () => {
    expect(() => trendOf(samples(() => 1).slice(0, 2))).toThrow('at least three');
  });
});
