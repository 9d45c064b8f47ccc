import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BOT_STATUSES, type BotStatus, type BotVersion, type BotWithVersion } from '@heliograph/bot-catalog';
import { isStorableText, rule } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
import { optionalText } from '../http/schemas';
import { IsText, IsNonBlankText, Optional, OptionalNullable } from '../http/rules';

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
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: 'integer', minimum: 1 })
  number: number;
  @ApiProperty({ example: 'friendly' })
  tone: string;
  @ApiProperty(optionalText)
  note: string | null;
  @ApiProperty({ ...optionalText, format: 'uuid', description: 'Id of the user; `null` for API keys and provisioning' })
  publishedBy: string | null;
  @ApiProperty({ format: 'date-time' })
  publishedAt: string;

  static of({ id, number, tone, note, publishedBy, publishedAt }: BotVersion): VersionRecord {
    return { id, number, tone, note, publishedBy, publishedAt: publishedAt.toISOString() };
  }
}

export class BotRecord {
  @ApiProperty(idOf)
  id: string;
  @ApiProperty({ example: 'Acme Help' })
  name: string;
  @ApiProperty({ example: 'acme-help' })
  slug: string;
  @ApiProperty(localeOf)
  locale: string;
  @ApiProperty({ enum: BOT_STATUSES })
  status: BotStatus;
  @ApiProperty(optionalText)
  avatarUrl: string | null;
  @ApiProperty(settingsOf)
  settings: Record<string, unknown>;
  @ApiProperty({
    type: VersionRecord,
    nullable: true,
    description: 'Published version that visitors use; `null` if nothing is published',
  })
  version: VersionRecord | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

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
  @ApiProperty({ example: 'Acme Help', maxLength: 200 })
  @IsNonBlankText()
  name: string;
  @ApiPropertyOptional({ example: 'acme-help', description: 'Slug. It is derived from the name if omitted' })
  @Optional()
  @IsNonBlankText(100)
  slug?: string;
  @ApiPropertyOptional({ ...localeOf, default: 'en' })
  @Optional()
  @IsNonBlankText(100)
  locale: string = 'en';
  @ApiPropertyOptional({ ...optionalText, description: 'URL of the logo, with http or https' })
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
  @ApiPropertyOptional({
    example: 'friendly',
    maxLength: 100,
    description: 'The default is the value of the previous version',
  })
  @Optional()
  @IsNonBlankText(100)
  tone?: string;
  @ApiPropertyOptional({ ...optionalText, maxLength: 1_000, description: 'Release note for the list of versions' })
  @OptionalNullable()
  @IsText(1_000)
  note: string | null = null;
}
