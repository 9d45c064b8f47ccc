import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BOT_STATUSES, type BotVersion, type BotWithVersion } from '@heliograph/bot-catalog';
import { isStorableText, rule } from '@heliograph/service-kit';
import { One, ListOf } from '../../http/answers';
import { ChangesOf } from '../../http/changes-of';
import { IsText, IsNonBlankText, Optional, OptionalNullable } from '../../http/rules';

const MAX_SETTINGS_LENGTH = 64_000;
const MAX_LEVELS = 10;
const idOf = { example: 'bot_acme_help', description: 'Public id. It is used in pages that embed the bot' } as const;
const localeOf = { example: 'en', description: 'Language of the bot as a BCP 47 tag' } as const;
const settingsOf = {
  type: 'object',
  additionalProperties: true,
  example: { branding: { color: '#0077aa' } },
  description:
    'Custom settings: at most 64 kB and ten levels. Texts that visitors see are sanitized. An update replaces them.',
} as const;

/** A JSON object that all storage systems and clients can represent. */
const IsSettings = () =>
  rule(
    'isSettings',
    `must be a JSON object of at most ${MAX_LEVELS} levels, without NUL characters and unpaired surrogates`,
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isStorable(value, 1),
  );

function isStorable(value: unknown, level: number): boolean {
  if (typeof value === 'string') return isStorableText(value, MAX_SETTINGS_LENGTH);
  if (typeof value !== 'object' || value === null) return true;
  if (level > MAX_LEVELS) return false;
  return Object.entries(value).every(
    ([name, entry]) => isStorableText(name, MAX_SETTINGS_LENGTH) && isStorable(entry, level + 1),
  );
}

export class VersionRecord {
  id: Uuid;
  @ApiProperty({ minimum: 1 })
  number: Integer;
  /** @example friendly */
  tone: string;
  note: string | null;
  /** Id of the user; `null` for API keys and provisioning. */
  publishedBy: Uuid | null;
  publishedAt: Timestamp;

  static of({ id, number, tone, note, publishedBy, publishedAt }: BotVersion): VersionRecord {
    return { id, number, tone, note, publishedBy, publishedAt: publishedAt.toISOString() };
  }
}

export class BotRecord {
  @ApiProperty(idOf)
  id: string;
  /** @example Acme Help */
  name: string;
  /** @example acme-help */
  slug: string;
  @ApiProperty(localeOf)
  locale: string;
  status: (typeof BOT_STATUSES)[number];
  avatarUrl: string | null;
  @ApiProperty(settingsOf)
  settings: Record<string, unknown>;
  /** Published version that visitors use; `null` if nothing is published. */
  version: VersionRecord | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;

  static of({ bot, version }: BotWithVersion): BotRecord {
    const { publicId: id, name, slug, locale, status, avatarUrl, settings } = bot;
    return {
      id,
      name,
      slug,
      locale,
      status,
      avatarUrl,
      settings,
      version: version && VersionRecord.of(version),
      createdAt: bot.createdAt.toISOString(),
      updatedAt: bot.updatedAt.toISOString(),
    };
  }
}

export class OneBot extends One('bot', BotRecord) {}

export class BotPage extends ListOf('bots', BotRecord) {}

export class VersionPage extends ListOf('versions', VersionRecord) {}

export class CreateBotRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Public id. It is generated if omitted and cannot be changed.' })
  @Optional()
  @IsNonBlankText(100)
  id?: string;
  /** @example Acme Help */
  @ApiProperty({ maxLength: 200 })
  @IsNonBlankText()
  name: string;
  /**
   * Slug. It is derived from the name if omitted.
   * @example acme-help
   */
  @Optional()
  @IsNonBlankText(100)
  slug?: string;
  @ApiPropertyOptional({ ...localeOf, default: 'en' })
  @Optional()
  @IsNonBlankText(100)
  locale: string = 'en';
  /** URL of the logo, with http or https. */
  @OptionalNullable()
  @IsNonBlankText()
  avatarUrl: string | null = null;
  @ApiPropertyOptional(settingsOf)
  @Optional()
  @IsSettings()
  settings: Record<string, unknown> = {};
}

export class ChangeBotRequest extends ChangesOf(CreateBotRequest, [
  'name',
  'slug',
  'locale',
  'avatarUrl',
  'settings',
]) {}

export class PublishRequest {
  /**
   * The default is the value of the previous version.
   * @example friendly
   */
  @ApiProperty({ maxLength: 100 })
  @Optional()
  @IsNonBlankText(100)
  tone?: string;
  /** Release note for the list of versions. */
  @ApiProperty({ maxLength: 1_000 })
  @OptionalNullable()
  @IsText(1_000)
  note: string | null = null;
}
