import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  MAX_LABEL_LENGTH,
  MAX_QUESTION_LENGTH,
  SHORTCUTS,
  type BotShortcut,
  type ShortcutDetails,
} from '@heliograph/bot-catalog';
import { IsFilledText, IsText, IsWhole, MayBeAbsent, MayBeEmpty } from '../../http/rules';
import type { NotedKind } from './content.service';
import { LiveChanges, LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MAX_DESCRIPTION_LENGTH = 500;
const idOf = { example: 'returns', maxLength: MAX_ID_LENGTH } as const;
const labelOf = { example: 'Returns', maxLength: MAX_LABEL_LENGTH } as const;
const commandOf = {
  ...{ example: '/returns', maxLength: 65 },
  description: 'A slash and a word, in whatever case; unique within the bot',
} as const;
const descriptionOf = { example: 'Our return policy', maxLength: MAX_DESCRIPTION_LENGTH } as const;
const typeOf = {
  example: 'knowledge_query',
  description: '`knowledge_query` asks `query`; `faq` and `form` show the one that it names; `handoff` calls a person',
} as const;
const queryOf = {
  ...{ type: String, nullable: true, maxLength: MAX_QUESTION_LENGTH, example: 'returns' },
  description: 'Null: the label',
} as const;
/** An emoji is two of the characters that JSON counts, and one of ours. */
const LONGEST_LABEL = 2 * MAX_LABEL_LENGTH;
const LONGEST_LINE = 2 * MAX_QUESTION_LENGTH;

export const NOTED_SHORTCUTS: NotedKind<BotShortcut, ShortcutDetails> = { ...SHORTCUTS, noun: 'shortcut' };

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

export class OneShortcut {
  @ApiProperty()
  shortcut: ShortcutRecord;
}

export class ShortcutPage {
  @ApiProperty({ type: [ShortcutRecord] })
  shortcuts: ShortcutRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateShortcutRequest extends LiveRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Left out: generated. It never changes' })
  @MayBeAbsent()
  @IsFilledText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(labelOf)
  @IsFilledText(LONGEST_LABEL)
  label: string;
  @ApiProperty(commandOf)
  @IsFilledText(200)
  command: string;
  @ApiPropertyOptional({ ...descriptionOf, default: '' })
  @MayBeAbsent()
  @IsText(LONGEST_LINE)
  description: string = '';
  @ApiPropertyOptional({ ...typeOf, default: 'knowledge_query' })
  @MayBeAbsent()
  @IsFilledText(100)
  type: string = 'knowledge_query';
  @ApiPropertyOptional(queryOf)
  @MayBeEmpty()
  @IsText(LONGEST_LINE)
  query: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeShortcutRequest extends LiveChanges {
  @ApiPropertyOptional(labelOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_LABEL)
  label?: string;
  @ApiPropertyOptional(commandOf)
  @MayBeAbsent()
  @IsFilledText(200)
  command?: string;
  @ApiPropertyOptional(descriptionOf)
  @MayBeAbsent()
  @IsText(LONGEST_LINE)
  description?: string;
  @ApiPropertyOptional(typeOf)
  @MayBeAbsent()
  @IsFilledText(100)
  type?: string;
  @ApiPropertyOptional(queryOf)
  @MayBeEmpty()
  @IsText(LONGEST_LINE)
  query?: string | null;
  @ApiPropertyOptional(orderOf)
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder?: number;
}
