import { toStorableText } from '@heliograph/service-kit';
import { invalid } from './catalog-rules';
import { cleanText } from './clean-text';
import { areAllowedDomains } from './settings';

const MAX_BYTES = 64_000;
const MAX_LEVELS = 10;
/** Settings whose texts visitors can see. */
const WITH_TEXT = new Set([
  'branding',
  'brandColor',
  'themeColor',
  'welcomeMessage',
  'fallback',
  'synonyms',
  'allowedDomains',
  'handoff',
  'languageModel',
]);

/**
 * Returns the free-form settings to store. Texts of known settings are sanitized; everything else is stored unchanged.
 * `readSettings` decides which values are used. Throws VALIDATION_ERROR above 64 kB of JSON or ten levels, and for
 * invalid `allowedDomains`, because they protect the bot.
 */
export function checkSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const cleaned = mapped(settings, (name) => (WITH_TEXT.has(name) ? cleanText : toStorableText));
  if (!areAllowedDomains(cleaned['allowedDomains'])) {
    throw invalid(
      'settings.allowedDomains',
      'must be a list of at most 100 hosts, such as acme.example, *.acme.example or localhost:8080.',
    );
  }
  if (Buffer.byteLength(JSON.stringify(cleaned)) <= MAX_BYTES) return cleaned;
  throw invalid('settings', `must be at most ${MAX_BYTES} bytes of JSON.`);
}

function mapped(
  object: Readonly<Record<string, unknown>>,
  cleanOf: (name: string) => (text: string) => string,
): Record<string, unknown> {
  // No assignment, because a setting may be named `__proto__`.
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [toStorableText(name), mapTexts(value, cleanOf(name), 2)]),
  );
}

function mapTexts(value: unknown, clean: (text: string) => string, level: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAX_LEVELS) throw invalid('settings', `must be nested at most ${MAX_LEVELS} levels deep.`);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, clean, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [toStorableText(name), mapTexts(entry, clean, level + 1)]),
  );
}
