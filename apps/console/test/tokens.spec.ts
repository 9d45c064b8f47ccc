import { readFileSync } from 'node:fs';
import path from 'node:path';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Contrast ratios of WCAG 2.2: text 4.5 (1.4.3), borders of fields and marks of the focus 3 (1.4.11). */
const TEXT = 4.5;
const GRAPHICS = 3;

const css = readFileSync(path.join(__dirname, '../src/styles/tokens.css'), 'utf8');
const colors = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: Theme, one: string, other: string): number {
  const [lower = 0, higher = 0] = [one, other].map((name) => luminance(colors.get(name)![theme])).sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

const SURFACES = ['surface', 'surface-sunken', 'surface-raised', 'surface-hover'];
const TONES = ['danger', 'success', 'warning', 'info', 'neutral'];
const PAIRS: [string, string, number][] = [
  ...['text', 'text-muted', 'accent-text', 'danger-text'].flatMap((text) =>
    SURFACES.map((surface): [string, string, number] => [text, surface, TEXT]),
  ),
  ...TONES.map((tone): [string, string, number] => [`${tone}-text`, `${tone}-surface`, TEXT]),
  ['accent-text', 'surface-selected', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-hover', TEXT],
  ['on-danger', 'danger', TEXT],
  ['on-danger', 'danger-hover', TEXT],
  ...['border-strong', 'focus'].flatMap((mark) =>
    SURFACES.slice(0, 3).map((surface): [string, string, number] => [mark, surface, GRAPHICS]),
  ),
];

describe.each(THEMES)('the colors of the %s theme', (theme) => {
  it.each(PAIRS)('%s on %s have a contrast of at least %d', (one, other, least) => {
    expect(contrast(theme, one, other)).toBeGreaterThanOrEqual(least);
  });
});
