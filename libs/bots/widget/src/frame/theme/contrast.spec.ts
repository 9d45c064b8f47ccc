import { accentOn, contrast, parseColor, readableOn, toHex, type Rgb } from './contrast';
import { themeOf } from './apply-theme';

/** A fixed sequence (mulberry32), so that a failure is the same the next time. */
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

describe('the colours of the chat', () => {
  it('read at 4.5 to 1 for 500 random brands: on the brand, pressed, and as accents of both themes', () => {
    for (const brand of randomColors(500)) {
      const theme = themeOf(toHex(brand));
      const ink = color(theme['--on-brand']);
      expect(contrast(ink, color(theme['--brand']))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, color(theme['--brand-strong']))).toBeGreaterThanOrEqual(4.5);
      // The surfaces of styles/base.css, and the raised one of each.
      for (const surface of ['#ffffff', '#f3f4f6']) {
        expect(contrast(color(theme['--accent-light']), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
      for (const surface of ['#17191d', '#23252a']) {
        expect(contrast(color(theme['--accent-dark']), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('has black or white on every colour, whichever reads better', () => {
    expect(readableOn(color('#ffe600'))).toEqual([0, 0, 0]);
    expect(readableOn(color('#4f46e5'))).toEqual([255, 255, 255]);
    for (const brand of randomColors(500)) expect(contrast(readableOn(brand), brand)).toBeGreaterThanOrEqual(4.58);
  });

  it('leaves an accent that reads as it is', () => {
    expect(accentOn(color('#0b3d91'), color('#ffffff'))).toEqual(color('#0b3d91'));
  });

  it('takes three and six digits, and the default for anything else', () => {
    expect(parseColor('#0A7')).toEqual([0, 170, 119]);
    expect(parseColor(' #00aa77 ')).toEqual([0, 170, 119]);
    for (const bad of ['0a7', '#12', '#12345', '#1234567', 'red', '#ggg', '', null, undefined]) {
      expect(parseColor(bad)).toBeNull();
      expect(themeOf(bad)['--brand']).toBe('#4f46e5');
    }
  });
});
