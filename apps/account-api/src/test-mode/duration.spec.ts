import { expectLinear } from '@heliograph/testing';
import { readDuration } from './duration';

describe('a duration', () => {
  it.each([
    ['P3D', 259_200],
    ['PT1S', 1],
    ['PT90M', 5_400],
    ['P1DT2H3M4S', 93_784],
    ['P2W', 1_209_600],
    ['P0D', 0],
  ])('%s has %i seconds', (text, seconds) => expect(readDuration(text)).toBe(seconds));

  it.each([
    '',
    'P',
    'PT',
    'P1',
    '3D',
    'P-1D',
    'P1M',
    'P1Y',
    'P1W1D',
    'PT1.5H',
    'p1d',
    ' P1D',
    'P1DT',
    'P1D\n',
    'P999999D',
  ])('%j is none', (text) => expect(readDuration(text)).toBeNull());

  it('is read in linear time', () => expectLinear(200_000, (size) => `P${'1D'.repeat(size / 2)}`, readDuration));
});
