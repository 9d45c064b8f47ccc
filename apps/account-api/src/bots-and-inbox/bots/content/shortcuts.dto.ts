import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  MAX_LABEL_LENGTH,
  MAX_QUESTION_LENGTH,
  SHORTCUTS,
  type BotShortcut,
  type ShortcutDetails,
} from '@heliograph/bot-catalog';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { IsText, IsNonBlankText, Optional, OptionalNullable, IsInteger } from '../../../http/rules';
import type { ManagedContent } from './content.service';
import { LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MAX_DESCRIPTION_LENGTH = 500;
const idOf = { example: 'returns', maxLength: MAX_ID_LENGTH } as const;
const labelOf = { example: 'Returns', maxLength: MAX_LABEL_LENGTH } as const;
const commandOf = {
  example: '/returns',
  maxLength: 65,
  description: 'Command: a slash and a word. It is case-insensitive and unique within the bot',
} as const;
const descriptionOf = { example: 'Our return policy', maxLength: MAX_DESCRIPTION_LENGTH } as const;
const typeOf = {
  example: 'knowledge_query',
  description:
    '`knowledge_query` searches for `query`; `faq` and `form` show the referenced content; `handoff` requests an agent',
} as const;
const queryOf = {
  type: String,
  nullable: true,
  maxLength: MAX_QUESTION_LENGTH,
  example: 'returns',
  description: 'Description of the shortcut. The default is the label',
} as const;
/** The catalog limits code points; validation counts UTF-16 units, of which an emoji needs two. */
const MAX_LABEL_UNITS = 2 * MAX_LABEL_LENGTH;
const MAX_TARGET_UNITS = 2 * MAX_QUESTION_LENGTH;

export class ShortcutRecord extends LiveRecord {
  @ApiProperty(idOf)
  id: string;
  @ApiProperty(labelOf)
  label: string;
  @ApiProperty(commandOf)
  command: string;
  @ApiProperty(descriptionOf)
  description: string;
  @ApiProperty(typeOf)
  type: string;
  @ApiProperty(queryOf)
  query: string | null;
  @ApiProperty(orderOf)
  displayOrder: number;

  static of(shortcut: BotShortcut): ShortcutRecord {
    const { publicId: id, label, command, description, type, query, displayOrder } = shortcut;
    return { id, label, command, description, type, query, displayOrder, ...liveRecord(shortcut) };
  }
}

export class OneShortcut extends One('shortcut', ShortcutRecord) {}

export class ShortcutPage extends ListOf('shortcuts', ShortcutRecord) {}

export const SHORTCUT_CONTENT: ManagedContent<BotShortcut, ShortcutDetails, OneShortcut, ShortcutPage> = {
  ...SHORTCUTS,
  noun: 'shortcut',
  one: OneShortcut,
  page: ShortcutPage,
};

export class CreateShortcutRequest extends LiveRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Public id. It is generated if omitted and cannot be changed.' })
  @Optional()
  @IsNonBlankText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(labelOf)
  @IsNonBlankText(MAX_LABEL_UNITS)
  label: string;
  @ApiProperty(commandOf)
  @IsNonBlankText(200)
  command: string;
  @ApiPropertyOptional({ ...descriptionOf, default: '' })
  @Optional()
  @IsText(MAX_TARGET_UNITS)
  description: string = '';
  @ApiPropertyOptional({ ...typeOf, default: 'knowledge_query' })
  @Optional()
  @IsNonBlankText(100)
  type: string = 'knowledge_query';
  @ApiPropertyOptional(queryOf)
  @OptionalNullable()
  @IsText(MAX_TARGET_UNITS)
  query: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @Optional()
  @IsInteger(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeShortcutRequest extends ChangesOf(CreateShortcutRequest, [
  'label',
  'command',
  'description',
  'type',
  'query',
  'displayOrder',
  'enabled',
  'published',
]) {}
