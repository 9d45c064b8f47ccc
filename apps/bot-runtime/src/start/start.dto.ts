import type { Integer, Uuid } from '@heliograph/contracts';
import { BOT_CHANNELS } from '@heliograph/bot-conversations';
import type { AvailableBot } from '@heliograph/bot-catalog';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import { isJsonObject, isStorableText, rule, type RuleContext } from '@heliograph/service-kit';
import { FormRecord, ReplyRecord } from '../messages/message.dto';
import { IsMessage, MAX_MESSAGE_LENGTH } from '../messages/message-text';

const MAX_CONTEXT_LENGTH = 2_000;
const CONTEXT_FIELDS = ['platform', 'pageUrl', 'referrer', 'language'] as const;
const CONTEXT = { type: String, description: 'Context of the visitor. The value is truncated to 2,000 characters' };

const IsBotId = () =>
  rule(
    'isBotId',
    'botId is required. Send the public id of a bot.',
    (value) => typeof value === 'string',
    'INVALID_REQUEST',
  );
const IsChannel = () =>
  rule(
    'isChannel',
    `channel must be one of ${BOT_CHANNELS.join(', ')}.`,
    (value) => BOT_CHANNELS.some((channel) => channel === value),
    'INVALID_REQUEST',
  );
const CLIENT = `client must be an object; its fields ${CONTEXT_FIELDS.join(', ')} must be strings without NUL characters.`;
const IsContextText = () => rule('isContextText', CLIENT, (value) => isStorableText(value));

export class ClientContextRequest {
  @ApiPropertyOptional(CONTEXT)
  @IsOptional()
  @IsContextText()
  platform?: string;
  @ApiPropertyOptional(CONTEXT)
  @IsOptional()
  @IsContextText()
  pageUrl?: string;
  @ApiPropertyOptional(CONTEXT)
  @IsOptional()
  @IsContextText()
  referrer?: string;
  @ApiPropertyOptional(CONTEXT)
  @IsOptional()
  @IsContextText()
  language?: string;
}

export class StartRequest {
  /** Public id of the bot. */
  @ApiProperty({ required: true })
  @IsBotId()
  botId: string = '';

  /** @default web */
  @IsChannel()
  channel: (typeof BOT_CHANNELS)[number] = 'web';

  /** First message of the visitor. If it is present, the response contains the reply. */
  @ApiProperty({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH })
  @IsOptional()
  @IsMessage()
  message?: string;

  @ValidateNested({ message: CLIENT, context: { code: 'INVALID_REQUEST', isWhole: true } satisfies RuleContext })
  @Type(() => ClientContextRequest)
  client: ClientContextRequest = new ClientContextRequest();
}

export class StartedConversation {
  id: Uuid;
  @ApiProperty({ enum: ['open'] })
  status: string;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: string;
}

export class BotVersionRecord {
  id: Uuid;
  version: Integer;
}

export class BotRecord {
  /** Public id of the bot. */
  id: string;
  name: string;
  slug: string;
  /** Language of the bot as a BCP 47 tag. */
  locale: string;
  version: BotVersionRecord;

  static of({ publicId, name, slug, locale, version }: AvailableBot): BotRecord {
    return { id: publicId, name, slug, locale, version: { id: version.id, version: version.number } };
  }
}

export class ShortcutRecord {
  id: string;
  label: string;
  /** @example /returns */
  command: string;
  description: string;
  /** @example knowledge_query */
  type: string;
  displayOrder: Integer;
}

/** The response of a start. */
export class StartResponse {
  conversation: StartedConversation;
  /** Access token of this conversation. It is only returned in this response. */
  @ApiProperty({ pattern: '^bcs_[0-9A-Za-z]{43,}$' })
  conversationToken: string;
  bot: BotRecord;
  /** Greeting to show before the first message. It is not part of the transcript. */
  greeting: string;
  shortcuts: ShortcutRecord[];
  forms: FormRecord[];
  /** Reply to the first message. Only present if the request contains a message. */
  reply?: ReplyRecord;
}

/** Treats null as absent, and truncates the texts of the client context. */
export function normalizeStart(body: Record<string, unknown>): object {
  const fields = withoutNulls(body);
  return { ...fields, client: normalizeClient(fields['client']) };
}

function normalizeClient(client: unknown): unknown {
  if (!isJsonObject(client)) return client;
  const known = CONTEXT_FIELDS.filter((name) => Object.hasOwn(client, name));
  return withoutNulls(Object.fromEntries(known.map((name) => [name, truncate(client[name])])));
}

/** Truncates at a code point boundary. */
function truncate(text: unknown): unknown {
  if (!isStorableText(text)) return text;
  return [...text.slice(0, 2 * MAX_CONTEXT_LENGTH)].slice(0, MAX_CONTEXT_LENGTH).join('').toWellFormed();
}

const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
