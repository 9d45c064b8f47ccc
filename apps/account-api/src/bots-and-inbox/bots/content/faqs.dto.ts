import type { Integer } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, IntersectionType, PickType } from '@nestjs/swagger';
import {
  FAQS,
  MAX_ANSWER_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_QUESTION_LENGTH,
  type BotFaq,
  type FaqDetails,
  type PutResult,
} from '@heliograph/bot-catalog';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { IsText, IsNonBlankText, Optional, OptionalNullable, IsInteger, IsTextArray } from '../../../http/rules';
import type { ManagedContent } from './content.service';
import { LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MAX_IMPORTED = 1_000;
const idOf = { example: 'hours', maxLength: MAX_ID_LENGTH } as const;
const questionOf = { example: 'What are your opening hours?', maxLength: MAX_QUESTION_LENGTH } as const;
const phrasingsOf: ApiPropertyOptions = {
  type: [String],
  maxItems: 50,
  example: ['When are you open?'],
  description: 'Alternative wordings of the question',
};
const answerOf = {
  example: '9 to 5, Monday to Friday',
  maxLength: MAX_ANSWER_LENGTH,
  description: 'Answer. HTML is removed, except text and safe links',
} as const;
const labelOf = {
  type: String,
  nullable: true,
  maxLength: MAX_LABEL_LENGTH,
  example: 'Opening hours',
  description: 'Label of the button. The first six FAQs with a label are shown as suggestions',
} as const;
/** The catalog limits code points; validation counts UTF-16 units, of which an emoji needs two. */
const MAX_ANSWER_UNITS = 2 * MAX_ANSWER_LENGTH;
const MAX_QUESTION_UNITS = 2 * MAX_QUESTION_LENGTH;
const MAX_LABEL_UNITS = 2 * MAX_LABEL_LENGTH;

export class FaqRecord extends LiveRecord {
  @ApiProperty(idOf)
  id: string;
  @ApiProperty(questionOf)
  question: string;
  @ApiProperty(phrasingsOf)
  phrasings: string[];
  @ApiProperty(answerOf)
  answer: string;
  @ApiProperty(labelOf)
  label: string | null;
  @ApiProperty(orderOf)
  displayOrder: number;

  static of(faq: BotFaq): FaqRecord {
    const { publicId: id, question, phrasings, answer, label, displayOrder } = faq;
    return { id, question, phrasings, answer, label, displayOrder, ...liveRecord(faq) };
  }
}

export class OneFaq extends One('faq', FaqRecord) {}

export class FaqPage extends ListOf('faqs', FaqRecord) {}

export const FAQ_CONTENT: ManagedContent<BotFaq, FaqDetails, OneFaq, FaqPage> = {
  ...FAQS,
  noun: 'faq',
  one: OneFaq,
  page: FaqPage,
};

export class CreateFaqRequest extends LiveRequest {
  @ApiPropertyOptional({
    ...idOf,
    description:
      'Public id. It is generated if omitted and cannot be changed. In an import, the id of an existing FAQ updates this FAQ.',
  })
  @Optional()
  @IsNonBlankText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(questionOf)
  @IsNonBlankText(MAX_QUESTION_UNITS)
  question: string;
  @ApiPropertyOptional({ ...phrasingsOf, default: [] })
  @Optional()
  @IsTextArray(50, MAX_QUESTION_UNITS)
  phrasings: string[] = [];
  @ApiProperty(answerOf)
  @IsNonBlankText(MAX_ANSWER_UNITS)
  answer: string;
  @ApiPropertyOptional(labelOf)
  @OptionalNullable()
  @IsText(MAX_LABEL_UNITS)
  label: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @Optional()
  @IsInteger(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeFaqRequest extends ChangesOf(CreateFaqRequest, [
  'question',
  'phrasings',
  'answer',
  'label',
  'displayOrder',
  'enabled',
  'published',
]) {}

/** An entry of an import. With the id of an existing FAQ it updates that FAQ. */
export class ImportedFaq extends IntersectionType(
  ChangesOf(CreateFaqRequest, ['id']),
  PickType(CreateFaqRequest, ['question']),
  ChangesOf(CreateFaqRequest, ['phrasings']),
  PickType(CreateFaqRequest, ['answer']),
  ChangesOf(CreateFaqRequest, ['label', 'displayOrder', 'enabled', 'published']),
) {}

const AreImportable = () =>
  rule(
    'areImportable',
    `must be a list of 1 to ${MAX_IMPORTED} FAQs`,
    (value) =>
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= MAX_IMPORTED &&
      value.every((one) => one instanceof ImportedFaq),
  );

export class ImportFaqsRequest {
  @ApiProperty({ minItems: 1, maxItems: MAX_IMPORTED })
  @AreImportable()
  @ValidateNested({ each: true })
  @Type(() => ImportedFaq)
  faqs: ImportedFaq[];
}

export class ImportRecord {
  created: Integer;
  changed: Integer;
  unchanged: Integer;

  static of({ created, changed, unchanged }: PutResult<BotFaq>): ImportRecord {
    return { created: created.length, changed: changed.length, unchanged };
  }
}

export class OneImport {
  import: ImportRecord;
}
