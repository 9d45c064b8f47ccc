const HEX = /^#([\da-f]{3}|[\da-f]{6})$/i;
/** The luminance at which black and white read equally well: (L + 0.05)² = 1.05 · 0.05. */
const MIDDLE = 0.179;
/** Of red, green and blue (WCAG 2.2, relative luminance). */
const WEIGHTS = [0.2126, 0.7152, 0.0722];

/** Whether it is `#rgb` or `#rrggbb`. */
export const isColor = (text: string): boolean => HEX.test(text);

/** Black or white, whichever reads better on a valid colour: at least 4.58 to 1 on any. */
export function inkOn(color: string): '#000' | '#fff' {
  const digits = color.slice(1);
  const size = digits.length / 3;
  const luminance = WEIGHTS.reduce((sum, weight, index) => {
    const part = parseInt(digits.slice(index * size, (index + 1) * size).padEnd(2, digits[index]), 16) / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  return luminance > MIDDLE ? '#000' : '#fff';
}
