import fc from 'fast-check';
import { isColor, onBrand } from './brand-color';
import { contrast, parseColor, type Rgb } from './frame/theme/contrast';

const channel = fc.integer({ min: 0, max: 255 });
const hex = (...channels: number[]) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
const rgb = (text: string): Rgb => parseColor(text)!;

describe('the surface and ink of a brand color', () => {
  it('have a contrast of at least 4.5 for any color', () => {
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const { surface, ink } = onBrand(hex(red, green, blue));
        expect(contrast(rgb(surface), rgb(ink))).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['#fff', '#fff', '#101318'],
    ['#000', '#000', '#fff'],
    ['#4f46e5', '#4f46e5', '#fff'],
    ['#ff0', '#ff0', '#101318'],
    ['#00F', '#00F', '#fff'],
  ])('of %s are %s and %s', (color, surface, ink) => expect(onBrand(color)).toEqual({ surface, ink }));

  // Black text has the higher WCAG contrast on these colors, but is harder to read.
  it.each(['#0a7', '#f97316', '#ef4444', '#3b82f6', '#10a37f', '#e11d48', '#ff5a1f'])(
    'are white on the darkened color for the saturated %s',
    (color) => {
      const { surface, ink } = onBrand(color);
      expect(ink).toBe('#fff');
      const before = rgb(color);
      const after = rgb(surface);
      // The hue is preserved: the order of the channels does not change.
      const order = (value: Rgb) => [0, 1, 2].sort((a, b) => value[a]! - value[b]!);
      expect(order(after)).toEqual(order(before));
      expect(contrast(after, [255, 255, 255])).toBeLessThan(4.8);
    },
  );
});

describe('a color', () => {
  it.each(['#fff', '#A1b2C3'])('can be %s', (text) => expect(isColor(text)).toBe(true));
  it.each(['', 'red', '#ffff', '#12345', 'fff', '#ggg', '#ffffff;x', 'rgb(1,2,3)'])('cannot be %j', (text) =>
    expect(isColor(text)).toBe(false),
  );
});
