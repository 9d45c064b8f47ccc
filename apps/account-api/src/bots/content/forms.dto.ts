import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  FIELD_TYPES,
  FORMS,
  type BotForm,
  type FieldDetails,
  type FieldType,
  type FormDetails,
} from '@heliograph/bot-catalog';
import { IsFilledText, isText, IsText, IsWhole, MayBeAbsent, MayBeEmpty, rule } from '../../http/rules';
import type { NotedKind } from './content.service';
import { LiveChanges, LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MAX_TITLE_LENGTH = 200;
const MAX_CONFIRMATION_LENGTH = 1_000;
const MOST_FIELDS = 20;
const MOST_OPTIONS = 100;
const MOST_KEYWORDS = 50;
const idOf = { example: 'lead', maxLength: MAX_ID_LENGTH } as const;
const titleOf = { example: 'Leave your details', maxLength: MAX_TITLE_LENGTH } as const;
const confirmationOf = {
  ...{ type: String, nullable: true, maxLength: MAX_CONFIRMATION_LENGTH, example: 'Thank you. We call you back.' },
  description: 'What the bot says to who has filled it in; null: its own words',
} as const;
/** An emoji is two of the characters that JSON counts, and one of ours. */
const LONGEST_LINE = 2 * MAX_TITLE_LENGTH;

export const NOTED_FORMS: NotedKind<BotForm, FormDetails> = { ...FORMS, noun: 'form' };

export class FormTrigger {
  @ApiPropertyOptional({
    ...{ type: [String], maxItems: MOST_KEYWORDS, example: ['contact', 'demo'] },
    description: 'A message with one of these words or phrases brings the form up',
  })
  keywords: string[];
}

export class FormFieldRecord {
  @ApiProperty({ example: 'email', pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$', description: 'Unique within the form' })
  key: string;
  @ApiProperty({ example: 'Email', maxLength: MAX_TITLE_LENGTH })
  label: string;
  @ApiProperty({ enum: FIELD_TYPES })
  type: FieldType;
  @ApiPropertyOptional({ default: false })
  required: boolean;
  @ApiPropertyOptional({
    type: [String],
    maxItems: MOST_OPTIONS,
    description: 'Of `select` alone: what to choose from',
  })
  options?: string[];
}
const fieldsOf: ApiPropertyOptions = { type: [FormFieldRecord], minItems: 1, maxItems: MOST_FIELDS };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (value: unknown, most: number): value is string[] =>
  Array.isArray(value) && value.length <= most && value.every((one) => isText(one, LONGEST_LINE));

function isField(value: unknown): value is FieldDetails {
  if (!isObject(value)) return false;
  const { key, label, type, required, options } = value;
  return (
    [key, label, type].every((text) => isText(text, LONGEST_LINE)) &&
    (required === undefined || typeof required === 'boolean') &&
    (options === undefined || areTexts(options, MOST_OPTIONS))
  );
}

const AreFields = () =>
  rule(
    'areFields',
    `must be 1 to ${MOST_FIELDS} fields: key, label and type are texts, required is true or false, options at most ${MOST_OPTIONS} texts`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MOST_FIELDS && value.every(isField),
  );
const IsTrigger = () =>
  rule(
    'isTrigger',
    `must be an object with keywords, at most ${MOST_KEYWORDS} texts`,
    (value) => isObject(value) && (value['keywords'] === undefined || areTexts(value['keywords'], MOST_KEYWORDS)),
  );

export class FormRecord extends LiveRecord {
  @ApiProperty(idOf)
  id: string;
  @ApiProperty(titleOf)
  title: string;
  @ApiProperty()
  trigger: FormTrigger;
  @ApiProperty(fieldsOf)
  fields: FormFieldRecord[];
  @ApiProperty(confirmationOf)
  confirmation: string | null;
  @ApiProperty(orderOf)
  displayOrder: number;

  static of(form: BotForm): FormRecord {
    const { publicId: id, title, triggerKeywords: keywords, fields, confirmation, displayOrder } = form;
    return { id, title, trigger: { keywords }, fields, confirmation, displayOrder, ...liveRecord(form) };
  }
}

export class OneForm {
  @ApiProperty()
  form: FormRecord;
}

export class FormPage {
  @ApiProperty({ type: [FormRecord] })
  forms: FormRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateFormRequest extends LiveRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Left out: generated. It never changes' })
  @MayBeAbsent()
  @IsFilledText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(titleOf)
  @IsFilledText(LONGEST_LINE)
  title: string;
  @ApiPropertyOptional({ type: FormTrigger })
  @MayBeAbsent()
  @IsTrigger()
  trigger: FormDetails['trigger'] = {};
  @ApiProperty(fieldsOf)
  @AreFields()
  fields: FieldDetails[];
  @ApiPropertyOptional(confirmationOf)
  @MayBeEmpty()
  @IsText(2 * MAX_CONFIRMATION_LENGTH)
  confirmation: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeFormRequest extends LiveChanges {
  @ApiPropertyOptional(titleOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_LINE)
  title?: string;
  @ApiPropertyOptional({ type: FormTrigger })
  @MayBeAbsent()
  @IsTrigger()
  trigger?: FormDetails['trigger'];
  @ApiPropertyOptional(fieldsOf)
  @MayBeAbsent()
  @AreFields()
  fields?: FieldDetails[];
  @ApiPropertyOptional(confirmationOf)
  @MayBeEmpty()
  @IsText(2 * MAX_CONFIRMATION_LENGTH)
  confirmation?: string | null;
  @ApiPropertyOptional(orderOf)
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder?: number;
}
