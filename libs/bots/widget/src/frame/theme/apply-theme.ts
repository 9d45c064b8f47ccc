import { onBrand } from '../../brand-color';
import { accentOn, mix, parseColor, readableOn, toHex, type Rgb } from './contrast';

const DEFAULT: Rgb = [79, 70, 229];
/** Background colors of styles/base.css on which the accent color is used. */
const LIGHT_SURFACE: Rgb = [243, 244, 246];
const DARK_SURFACE: Rgb = [35, 37, 42];

/** Custom properties derived from the brand color, for the light and the dark theme. */
export function themeOf(color: string | null | undefined): Record<string, string> {
  const brand = parseColor(color) ?? DEFAULT;
  const { surface, ink } = onBrand(toHex(brand));
  const back = parseColor(surface) ?? brand;
  const front = parseColor(ink) ?? brand;
  return {
    '--brand': surface,
    '--on-brand': ink,
    // Pressed and hovered: further from the text color, so that the contrast increases.
    '--brand-strong': toHex(mix(back, readableOn(front), 0.14)),
    '--accent-light': toHex(accentOn(brand, LIGHT_SURFACE)),
    '--accent-dark': toHex(accentOn(brand, DARK_SURFACE)),
  };
}

export function applyTheme(color: string | null | undefined): void {
  for (const [name, value] of Object.entries(themeOf(color))) document.documentElement.style.setProperty(name, value);
}
