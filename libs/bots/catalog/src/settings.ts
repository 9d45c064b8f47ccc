import { cleanAddress, cleanLine, cleanText } from './clean-text';

/** The known settings of a bot. An invalid value counts as missing. */
export interface BotSettings {
  /** `#rgb` or `#rrggbb`; null: the default. */
  color: string | null;
  logo: string | null;
  welcome: string | null;
  /** The reply when the bot finds no answer; null: the default text. */
  fallback: string | null;
  /** Groups of words and phrases that are synonyms for the visitors of this bot. */
  synonyms: string[][];
  /** Hosts that may embed the frame, such as `acme.example` or `*.acme.example`; null: any host, empty: no host. */
  allowedDomains: string[] | null;
  handoff: HandoffSettings;
  languageModel: LanguageModelSettings;
}

/** How visitors reach a person: `settings.handoff`. */
export interface HandoffSettings {
  isEnabled: boolean;
  /**
   * Whether the bot offers a person when it finds no answer: true if the owner has configured hand-offs, by `enabled: true`,
   * keywords or a message. Nobody may be there to answer for other bots.
   */
  isOffered: boolean;
  /** Phrases that request a hand-off, in addition to the built-in ones. */
  keywords: string[];
  /** The reply to a hand-off request; null: the default text. */
  message: string | null;
}

/** Whether the bot may use the language model of the service, if one is configured: `settings.languageModel`. */
export interface LanguageModelSettings {
  isEnabled: boolean;
  /** Instructions of the owner for the language model. */
  instructions: string | null;
}

const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const DOMAIN =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*(?::\d{1,5})?$/;
const MAX_LINE = 500;
const MAX_TEXT = 4_000;
const MAX_GROUPS = 500;
const MAX_WORDS = 50;
const MAX_DOMAINS = 100;

/** Reads the known settings of a bot from free-form JSON. `avatarUrl` is the logo if the settings have none. */
export function readSettings(settings: unknown, avatarUrl: string | null = null): BotSettings {
  const all = objectOf(settings);
  const branding = objectOf(all['branding']);
  const handoff = objectOf(all['handoff']);
  const languageModel = objectOf(all['languageModel']);
  const isEnabled = handoff['enabled'] !== false;
  const keywords = linesOf(handoff['keywords'], MAX_WORDS);
  const message = textOf(handoff['message'], MAX_TEXT);
  return {
    color: first([branding['color'], all['brandColor'], all['themeColor']], colorOf),
    logo: first([branding['logo'], branding['logoUrl'], avatarUrl], cleanAddress),
    welcome: first([branding['welcome'], all['welcomeMessage']], (value) => textOf(value, MAX_TEXT)),
    fallback: textOf(all['fallback'], MAX_TEXT),
    synonyms: listOf(all['synonyms'], MAX_GROUPS)
      .map((group) => linesOf(group, MAX_WORDS))
      .filter((group) => group.length > 1),
    allowedDomains: allowedDomainsOf(all['allowedDomains']),
    handoff: {
      isEnabled,
      isOffered: isEnabled && (handoff['enabled'] === true || keywords.length > 0 || message !== null),
      keywords,
      message,
    },
    languageModel: {
      isEnabled: languageModel['enabled'] !== false,
      instructions: textOf(languageModel['instructions'], MAX_TEXT),
    },
  };
}

/**
 * The valid hosts of `settings.allowedDomains`; null if it is missing, null or an empty list. An invalid value is a
 * restriction without hosts: it must not open the bot to every site.
 */
function allowedDomainsOf(value: unknown): string[] | null {
  if (isUnrestricted(value)) return null;
  return linesOf(value, MAX_DOMAINS)
    .map((domain) => domain.toLowerCase())
    .filter((domain) => DOMAIN.test(domain));
}

/** Whether `settings.allowedDomains` is valid: missing, null, or a list of at most 100 hosts. */
export function areAllowedDomains(value: unknown): boolean {
  if (isUnrestricted(value)) return true;
  return Array.isArray(value) && value.length <= MAX_DOMAINS && allowedDomainsOf(value)?.length === value.length;
}

function isUnrestricted(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** A `#rgb` or `#rrggbb`, else null. */
function colorOf(value: unknown): string | null {
  return typeof value === 'string' && HEX_COLOR.test(value) ? value : null;
}

function first<T>(values: readonly unknown[], read: (value: unknown) => T | null): T | null {
  for (const value of values) {
    const usable = read(value);
    if (usable !== null) return usable;
  }
  return null;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown, most: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

function linesOf(value: unknown, most: number): string[] {
  return listOf(value, most)
    .map((line) => (typeof line === 'string' ? cleanLine(line.slice(0, MAX_LINE)) : ''))
    .filter((line) => line !== '');
}

function textOf(value: unknown, most: number): string | null {
  const text = typeof value === 'string' ? cleanText(value.slice(0, most)) : '';
  return text === '' ? null : text;
}
