import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { FIELD_TYPES, FORMS, type BotForm, type FormDetails } from '@heliograph/bot-catalog';
import { isStorableText, rule, type RuleContext } from '@heliograph/service-kit';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsBoolean, ValidateNested } from 'class-validator';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { IsText, IsNonBlankText, Optional, OptionalNullable, IsInteger } from '../../../http/rules';
import type { ManagedContent } from './content.service';
import { LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MAX_TITLE_LENGTH = 200;
const MAX_CONFIRMATION_LENGTH = 1_000;
const MAX_FIELDS = 20;
const MAX_OPTIONS = 100;
const MAX_KEYWORDS = 50;
const idOf = { example: 'lead', maxLength: MAX_ID_LENGTH } as const;
const titleOf = { example: 'Leave your details', maxLength: MAX_TITLE_LENGTH } as const;
const confirmationOf = {
  type: String,
  nullable: true,
  maxLength: MAX_CONFIRMATION_LENGTH,
  example: 'Thank you. We call you back.',
  description: 'Message that is shown after the submission; `null` shows the default message',
} as const;
/** The catalog limits code points; validation counts UTF-16 units, of which an emoji needs two. */
const MAX_LINE_UNITS = 2 * MAX_TITLE_LENGTH;

const areLines = (value: unknown, most: number): boolean =>
  Array.isArray(value) && value.length <= most && value.every((one) => isStorableText(one, MAX_LINE_UNITS));
const TRIGGER = `must be an object with at most ${MAX_KEYWORDS} texts in keywords`;
const FIELDS = `must be 1 to ${MAX_FIELDS} fields with text in key, label and type, a boolean in required, and at most ${MAX_OPTIONS} texts in options`;
const IsLine = () => rule('isLine', FIELDS, (value) => isStorableText(value, MAX_LINE_UNITS));

export class FormTrigger {
  /**
   * Words and phrases. A message that contains one of them opens the form.
   * @example ["contact","demo"]
   */
  @ApiProperty({ maxItems: MAX_KEYWORDS })
  @Optional()
  @rule('areKeywords', TRIGGER, (value) => areLines(value, MAX_KEYWORDS))
  keywords?: string[];
}

export class FormFieldRecord {
  /**
   * Key of the field, unique within the form.
   * @example email
   */
  @ApiProperty({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' })
  @IsLine()
  key: string;
  /** @example Email */
  @ApiProperty({ maxLength: MAX_TITLE_LENGTH })
  @IsLine()
  label: string;
  @ApiProperty({ enum: FIELD_TYPES })
  @IsLine()
  type: string;
  /** @default false */
  @Optional()
  @IsBoolean({ message: FIELDS })
  required?: boolean;
  /** Options of the field. Only for fields of the type `select`. */
  @ApiProperty({ maxItems: MAX_OPTIONS })
  @Optional()
  @rule('areOptions', FIELDS, (value) => areLines(value, MAX_OPTIONS))
  options?: string[];
}
const fieldsOf: ApiPropertyOptions = { type: [FormFieldRecord], minItems: 1, maxItems: MAX_FIELDS };

export class FormRecord extends LiveRecord {
  @ApiProperty(idOf)
  id: string;
  @ApiProperty(titleOf)
  title: string;
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

export class OneForm extends One('form', FormRecord) {}

export class FormPage extends ListOf('forms', FormRecord) {}

export const FORM_CONTENT: ManagedContent<BotForm, FormDetails, OneForm, FormPage> = {
  ...FORMS,
  noun: 'form',
  one: OneForm,
  page: FormPage,
};

export class CreateFormRequest extends LiveRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Public id. It is generated if omitted and cannot be changed.' })
  @Optional()
  @IsNonBlankText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(titleOf)
  @IsNonBlankText(MAX_LINE_UNITS)
  title: string;
  @Optional()
  @ValidateNested({ message: TRIGGER, context: { isWhole: true } satisfies RuleContext })
  @Type(() => FormTrigger)
  trigger: FormTrigger = new FormTrigger();
  @ApiProperty(fieldsOf)
  @ArrayMinSize(1, { message: FIELDS })
  @ArrayMaxSize(MAX_FIELDS, { message: FIELDS })
  @ValidateNested({ each: true, message: FIELDS, context: { isWhole: true } satisfies RuleContext })
  @Type(() => FormFieldRecord)
  fields: FormFieldRecord[];
  @ApiPropertyOptional(confirmationOf)
  @OptionalNullable()
  @IsText(2 * MAX_CONFIRMATION_LENGTH)
  confirmation: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @Optional()
  @IsInteger(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeFormRequest extends ChangesOf(CreateFormRequest, [
  'title',
  'trigger',
  'fields',
  'confirmation',
  'displayOrder',
  'enabled',
  'published',
]) {}
