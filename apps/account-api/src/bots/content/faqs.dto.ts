import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  FAQS,
  MAX_ANSWER_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_QUESTION_LENGTH,
  type BotFaq,
  type FaqDetails,
} from '@heliograph/bot-catalog';
import { IsFilledText, IsText, IsTextList, IsWhole, MayBeAbsent, MayBeEmpty, rule } from '../../http/rules';
import type { NotedKind } from './content.service';
import { LiveChanges, LiveRecord, liveRecord, LiveRequest, MAX_ID_LENGTH, MAX_ORDER, orderOf } from './live-record';

const MOST_IMPORTED = 1_000;
const idOf = { example: 'hours', maxLength: MAX_ID_LENGTH } as const;
const questionOf = { example: 'What are your opening hours?', maxLength: MAX_QUESTION_LENGTH } as const;
const phrasingsOf: ApiPropertyOptions = {
  type: [String],
  maxItems: 50,
  example: ['When are you open?'],
  description: 'Other ways to ask it',
};
const answerOf = {
  ...{ example: '9 to 5, Monday to Friday', maxLength: MAX_ANSWER_LENGTH },
  description: 'Markup goes, its words and safe links stay',
} as const;
const labelOf = {
  ...{ type: String, nullable: true, maxLength: MAX_LABEL_LENGTH, example: 'Opening hours' },
  description: 'Of its button; the first six with a label are suggested by themselves',
} as const;
/** An emoji is two of the characters that JSON counts, and one of ours. */
const LONGEST_ANSWER = 2 * MAX_ANSWER_LENGTH;
const LONGEST_QUESTION = 2 * MAX_QUESTION_LENGTH;
const LONGEST_LABEL = 2 * MAX_LABEL_LENGTH;

export const NOTED_FAQS: NotedKind<BotFaq, FaqDetails> = { ...FAQS, noun: 'faq' };

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

export class OneFaq {
  @ApiProperty()
  faq: FaqRecord;
}

export class FaqPage {
  @ApiProperty({ type: [FaqRecord] })
  faqs: FaqRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateFaqRequest extends LiveRequest {
  @ApiPropertyOptional({ ...idOf, description: 'Left out: generated. It never changes' })
  @MayBeAbsent()
  @IsFilledText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(questionOf)
  @IsFilledText(LONGEST_QUESTION)
  question: string;
  @ApiPropertyOptional({ ...phrasingsOf, default: [] })
  @MayBeAbsent()
  @IsTextList(50, LONGEST_QUESTION)
  phrasings: string[] = [];
  @ApiProperty(answerOf)
  @IsFilledText(LONGEST_ANSWER)
  answer: string;
  @ApiPropertyOptional(labelOf)
  @MayBeEmpty()
  @IsText(LONGEST_LABEL)
  label: string | null = null;
  @ApiPropertyOptional({ ...orderOf, default: 0 })
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder: number = 0;
}

export class ChangeFaqRequest extends LiveChanges {
  @ApiPropertyOptional(questionOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_QUESTION)
  question?: string;
  @ApiPropertyOptional(phrasingsOf)
  @MayBeAbsent()
  @IsTextList(50, LONGEST_QUESTION)
  phrasings?: string[];
  @ApiPropertyOptional(answerOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_ANSWER)
  answer?: string;
  @ApiPropertyOptional(labelOf)
  @MayBeEmpty()
  @IsText(LONGEST_LABEL)
  label?: string | null;
  @ApiPropertyOptional(orderOf)
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder?: number;
}

/** One of an import: with the id of one that is there it changes that one. */
export class ImportedFaq extends LiveChanges {
  @ApiPropertyOptional({ ...idOf, description: 'Of one that is there: changes it. Left out: makes a new one' })
  @MayBeAbsent()
  @IsFilledText(MAX_ID_LENGTH)
  id?: string;
  @ApiProperty(questionOf)
  @IsFilledText(LONGEST_QUESTION)
  question: string;
  @ApiPropertyOptional(phrasingsOf)
  @MayBeAbsent()
  @IsTextList(50, LONGEST_QUESTION)
  phrasings?: string[];
  @ApiProperty(answerOf)
  @IsFilledText(LONGEST_ANSWER)
  answer: string;
  @ApiPropertyOptional(labelOf)
  @MayBeEmpty()
  @IsText(LONGEST_LABEL)
  label?: string | null;
  @ApiPropertyOptional(orderOf)
  @MayBeAbsent()
  @IsWhole(-MAX_ORDER, MAX_ORDER)
  displayOrder?: number;
}

const AreImportable = () =>
  rule(
    'areImportable',
    `must be a list of 1 to ${MOST_IMPORTED} FAQs`,
    (value) =>
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= MOST_IMPORTED &&
      value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)),
  );

export class ImportFaqsRequest {
  @ApiProperty({ type: [ImportedFaq], minItems: 1, maxItems: MOST_IMPORTED })
  @AreImportable()
  faqs: object[];
}

export class ImportRecord {
  @ApiProperty({ type: 'integer' })
  created: number;
  @ApiProperty({ type: 'integer' })
  changed: number;
  @ApiProperty({ type: 'integer' })
  unchanged: number;
}

export class OneImport {
  @ApiProperty()
  import: ImportRecord;
}
