import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { FIELD_TYPES, FORMS, type BotForm, type FieldDetails, type FormDetails } from '@heliograph/bot-catalog';
import { isStorableText, rule } from '@heliograph/service-kit';
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

export class FormTrigger {
  /**
   * Words and phrases. A message that contains one of them opens the form.
   * @example ["contact","demo"]
   */
  @ApiProperty({ maxItems: MAX_KEYWORDS, required: false })
  keywords: string[];
}

export class FormFieldRecord {
  /**
   * Key of the field, unique within the form.
   * @example email
   */
  @ApiProperty({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' })
  key: string;
  /** @example Email */
  @ApiProperty({ maxLength: MAX_TITLE_LENGTH })
  label: string;
  type: (typeof FIELD_TYPES)[number];
  /** @default false */
  @ApiProperty({ required: false })
  required: boolean;
  /** Options of the field. Only for fields of the type `select`. */
  @ApiProperty({ maxItems: MAX_OPTIONS })
  options?: string[];
}
const fieldsOf: ApiPropertyOptions = { type: [FormFieldRecord], minItems: 1, maxItems: MAX_FIELDS };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (value: unknown, most: number): value is string[] =>
  Array.isArray(value) && value.length <= most && value.every((one) => isStorableText(one, MAX_LINE_UNITS));

function isField(value: unknown): value is FieldDetails {
  if (!isObject(value)) return false;
  const { key, label, type, required, options } = value;
  return (
    [key, label, type].every((text) => isStorableText(text, MAX_LINE_UNITS)) &&
    (required === undefined || typeof required === 'boolean') &&
    (options === undefined || areTexts(options, MAX_OPTIONS))
  );
}

const AreFields = () =>
  rule(
    'areFields',
    `must be 1 to ${MAX_FIELDS} fields with text in key, label and type, a boolean in required, and at most ${MAX_OPTIONS} texts in options`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_FIELDS && value.every(isField),
  );
const IsTrigger = () =>
  rule(
    'isTrigger',
    `must be an object with at most ${MAX_KEYWORDS} texts in keywords`,
    (value) => isObject(value) && (value['keywords'] === undefined || areTexts(value['keywords'], MAX_KEYWORDS)),
  );

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
  @ApiProperty({ type: FormTrigger })
  @Optional()
  @IsTrigger()
  trigger: FormDetails['trigger'] = {};
  @ApiProperty(fieldsOf)
  @AreFields()
  fields: FieldDetails[];
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
