import { onBrand } from '../../brand-color';
import { accentOn, mix, parseColor, readableOn, toHex, type Rgb } from './contrast';

const DEFAULT: Rgb = [79, 70, 229];
/** The surfaces of frame.css on which the accent stands. */
const LIGHT_SURFACE: Rgb = [243, 244, 246];
const DARK_SURFACE: Rgb = [35, 37, 42];

/** The custom properties that follow from the brand's colour, for both colour schemes. */
export function themeOf(color: string | null | undefined): Record<string, string> {
  const brand = parseColor(color) ?? DEFAULT;
  const { surface, ink } = onBrand(toHex(brand));
  const [back, front] = [parseColor(surface) ?? brand, parseColor(ink) ?? brand];
  return {
    '--brand': surface,
    '--on-brand': ink,
    // Pressed and hovered: further away from the ink, so that the contrast only grows.
    '--brand-strong': toHex(mix(back, readableOn(front), 0.14)),
    '--accent-light': toHex(accentOn(brand, LIGHT_SURFACE)),
    '--accent-dark': toHex(accentOn(brand, DARK_SURFACE)),
  };
}

export function applyTheme(color: string | null | undefined): void {
  for (const [name, value] of Object.entries(themeOf(color))) document.documentElement.style.setProperty(name, value);
}
