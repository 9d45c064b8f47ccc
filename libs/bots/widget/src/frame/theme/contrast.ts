export type Rgb = readonly [red: number, green: number, blue: number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** WCAG 2.2, success criterion 1.4.3. */
const ENOUGH = 4.5;

/** Parses `#rgb` or `#rrggbb`; null for anything else. */
export function parseColor(text: string | null | undefined): Rgb | null {
  const hex = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/i.exec(text?.trim() ?? '');
  if (!hex) return null;
  const [red, green, blue] = hex.slice(1).filter((part) => part !== undefined);
  const channel = (part = '0') => parseInt(part.length === 1 ? part + part : part, 16);
  return [channel(red), channel(green), channel(blue)];
}

export const toHex = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** WCAG contrast ratio, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever has the higher contrast; it is at least 4.58 on any color. */
export const readableOn = (surface: Rgb): Rgb => (contrast(surface, WHITE) >= contrast(surface, BLACK) ? WHITE : BLACK);

/** Mixes the color with black or white until it has enough contrast on the surface. */
export function accentOn(color: Rgb, surface: Rgb, enough: number = ENOUGH): Rgb {
  const target = readableOn(surface);
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, surface) >= enough) return mixed;
  }
  return target;
}

/** Adds `share` (0 to 1) of another color, rounded to whole channels. */
export function mix([red, green, blue]: Rgb, other: Rgb, share: number): Rgb {
  const channel = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [channel(red, other[0]), channel(green, other[1]), channel(blue, other[2])];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
