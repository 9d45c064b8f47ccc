const HEX = /^#([\da-f]{3}|[\da-f]{6})$/i;
/** Relative luminance (WCAG 2.2) up to which white text is perceived as clearer than black text, as APCA computes it. */
const WHITE_UP_TO = 0.36;
/** White text on this luminance has the contrast 4.5: 1.05 / (0.18 + 0.05) is 4.57, with a margin for whole channels. */
const READABLE = 0.18;
const WEIGHTS = [0.2126, 0.7152, 0.0722];
const NEAR_BLACK = '#101318';

/** Whether the text is `#rgb` or `#rrggbb`. */
export const isColor = (text: string): boolean => HEX.test(text);

/**
 * Background and text color of everything that stands on the brand color. `color`: a valid `#rgb` or `#rrggbb`. Colors
 * between the two luminances are darkened so that white text on them has a contrast of at least 4.5.
 */
export function onBrand(color: string): { surface: string; ink: string } {
  const digits = color.slice(1);
  const size = digits.length / 3;
  const channels = WEIGHTS.map((_, index) => {
    const part = parseInt(digits.slice(index * size, (index + 1) * size).padEnd(2, digits[index]), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = channels.reduce((sum, channel, index) => sum + channel * (WEIGHTS[index] ?? 0), 0);
  if (luminance > WHITE_UP_TO) return { surface: color, ink: NEAR_BLACK };
  const share = READABLE / luminance;
  if (share >= 1) return { surface: color, ink: '#fff' };
  const surface = channels.map((channel) => {
    const linear = channel * share;
    const part = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.floor(part * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return { surface: `#${surface.join('')}`, ink: '#fff' };
}
