import { accentOn, contrast, parseColor, readableOn, toHex, type Rgb } from './contrast';
import { themeOf } from './apply-theme';

/** Generates a fixed sequence (mulberry32), so that a failure is reproducible. */
function* randomColors(count: number): Generator<Rgb> {
  let seed = 20261122;
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % 256;
  };
  for (let index = 0; index < count; index++) yield [next(), next(), next()];
}

const color = (text: string | undefined): Rgb => parseColor(text) as Rgb;

describe('the colors of the chat', () => {
  it('have a contrast of at least 4.5 for 500 random brand colors, including pressed buttons and accents', () => {
    for (const brand of randomColors(500)) {
      const theme = themeOf(toHex(brand));
      const ink = color(theme['--on-brand']);
      expect(contrast(ink, color(theme['--brand']))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, color(theme['--brand-strong']))).toBeGreaterThanOrEqual(4.5);
      // The surface and raised surface colors of styles/base.css.
      for (const surface of ['#ffffff', '#f3f4f6']) {
        expect(contrast(color(theme['--accent-light']), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
      for (const surface of ['#17191d', '#23252a']) {
        expect(contrast(color(theme['--accent-dark']), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('use black or white text on each color, whichever has the higher contrast', () => {
    expect(readableOn(color('#ffe600'))).toEqual([0, 0, 0]);
    expect(readableOn(color('#4f46e5'))).toEqual([255, 255, 255]);
    for (const brand of randomColors(500)) expect(contrast(readableOn(brand), brand)).toBeGreaterThanOrEqual(4.58);
  });

  it('keep an accent color with sufficient contrast', () => {
    expect(accentOn(color('#0b3d91'), color('#ffffff'))).toEqual(color('#0b3d91'));
  });

  it('accept three and six digits, and otherwise use the default', () => {
    expect(parseColor('#0A7')).toEqual([0, 170, 119]);
    expect(parseColor(' #00aa77 ')).toEqual([0, 170, 119]);
    for (const bad of ['0a7', '#12', '#12345', '#1234567', 'red', '#ggg', '', null, undefined]) {
      expect(parseColor(bad)).toBeNull();
      expect(themeOf(bad)['--brand']).toBe('#4f46e5');
    }
  });
});
