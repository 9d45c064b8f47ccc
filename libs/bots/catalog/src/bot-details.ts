import { given } from '@heliograph/database';
import {
  checkAddress,
  checkBotSlug,
  checkLocale,
  checkPublicId,
  lineOf,
  MAX_NAME_LENGTH,
  newPublicId,
  slugOf,
} from './catalog-rules';
import { checkSettings } from './check-settings';
import type { Bot } from './entities/bot.entity';

export interface BotDetails {
  /** Default: generated. Pages embed it, so it never changes. */
  publicId?: string;
  name: string;
  /** Default: derived from the name. Unique within the workspace. */
  slug?: string;
  /** BCP 47; default: `en`. */
  locale?: string;
  avatarUrl?: string | null;
  /** Free-form JSON object. */
  settings?: Record<string, unknown>;
}
export type BotChanges = Partial<Omit<BotDetails, 'publicId'>>;

/** Returns the sanitized columns of a new bot. Throws VALIDATION_ERROR. */
export function newBotValues(
  details: BotDetails,
): Pick<Bot, 'publicId' | 'name' | 'slug' | 'locale' | 'avatarUrl' | 'settings'> {
  const { publicId, name, slug, locale = 'en', avatarUrl = null, settings = {} } = details;
  const madeId = publicId === undefined ? newPublicId('bot') : checkPublicId('id', publicId);
  const bare = lineOf('name', name, MAX_NAME_LENGTH);
  const madeSlug = slug === undefined ? (slugOf(bare ?? '') ?? slugOf(madeId) ?? 'bot') : checkBotSlug(slug);
  return {
    publicId: madeId,
    // If the name contains only markup, the slug becomes the name.
    name: bare ?? madeSlug,
    slug: madeSlug,
    locale: checkLocale(locale),
    avatarUrl: checkAddress('avatarUrl', avatarUrl),
    settings: checkSettings(settings),
  };
}

/** Returns the sanitized columns that an update writes. Throws VALIDATION_ERROR. */
export function botValues(before: Bot, { name, slug, locale, avatarUrl, settings }: BotChanges): Partial<Bot> {
  const newSlug = slug === undefined ? undefined : checkBotSlug(slug);
  return given({
    name: name === undefined ? undefined : (lineOf('name', name, MAX_NAME_LENGTH) ?? newSlug ?? before.slug),
    slug: newSlug,
    locale: locale === undefined ? undefined : checkLocale(locale),
    avatarUrl: avatarUrl === undefined ? undefined : checkAddress('avatarUrl', avatarUrl),
    settings: settings === undefined ? undefined : checkSettings(settings),
  });
}
