import fc from 'fast-check';
import { contrast, parseColor } from '../frame/theme/contrast';
import { inkOn, isColor } from './color';

const channel = fc.integer({ min: 0, max: 255 });
const hex = (...channels: number[]) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

describe('what stands on a colour', () => {
  it('reads with at least 4.5 to 1 on any colour, and better than the other of black and white', () => {
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const color = parseColor(hex(red, green, blue))!;
        const ink = contrast(color, parseColor(inkOn(hex(red, green, blue)))!);
        const other = contrast(color, parseColor(inkOn(hex(red, green, blue)) === '#000' ? '#fff' : '#000')!);
        expect(ink).toBeGreaterThanOrEqual(4.5);
        expect(ink).toBeGreaterThan(other - 0.02);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['#fff', '#000'],
    ['#000', '#fff'],
    ['#0a7', '#000'],
    ['#4f46e5', '#fff'],
    ['#ff0', '#000'],
    ['#00F', '#fff'],
  ])('on %s is %s', (color, ink) => {
    expect(inkOn(color)).toBe(ink);
  });
});

describe('a colour', () => {
  it.each(['#fff', '#A1b2C3'])('may be %s', (text) => expect(isColor(text)).toBe(true));
  it.each(['', 'red', '#ffff', '#12345', 'fff', '#ggg', '#ffffff;x', 'rgb(1,2,3)'])('may not be %j', (text) =>
    expect(isColor(text)).toBe(false),
  );
});
