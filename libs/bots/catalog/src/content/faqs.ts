import { checkOrder, checkPublicId, filled, lineOf, linesOf, textOf } from '../catalog-rules';
import { BotFaq } from '../entities/bot-faq.entity';
import { LIVE, liveColumns, livenessOf, type ContentKind, type Liveness } from './content-kind';

export const MAX_QUESTION_LENGTH = 500;
export const MAX_PHRASINGS = 50;
export const MAX_ANSWER_LENGTH = 4_000;
export const MAX_LABEL_LENGTH = 80;
export const MAX_FAQS = 2_000;

export interface FaqDetails extends Liveness {
  /** Default: generated. It never changes. */
  id?: string;
  question: string;
  /** Alternative phrasings of the question. */
  phrasings: string[];
  answer: string;
  /** Label of its button. The bot suggests every FAQ that has a label. */
  label: string | null;
  displayOrder: number;
}

export const FAQS: ContentKind<BotFaq, FaqDetails> = {
  entity: BotFaq,
  name: 'FAQ',
  idPrefix: 'faq',
  most: MAX_FAQS,
  idField: 'publicId',
  unique: [{ column: 'publicId', field: 'id' }],
  naturalKeyOf: ({ id }) => id,
  defaults: { phrasings: [], label: null, displayOrder: 0, ...LIVE },
  valuesOf: (details) => ({
    ...(details.id === undefined ? {} : { publicId: checkPublicId('id', details.id) }),
    question: filled('question', lineOf('question', details.question, MAX_QUESTION_LENGTH)),
    phrasings: linesOf('phrasings', details.phrasings, MAX_PHRASINGS, MAX_QUESTION_LENGTH),
    answer: filled('answer', textOf('answer', details.answer, MAX_ANSWER_LENGTH)),
    label: lineOf('label', details.label, MAX_LABEL_LENGTH),
    displayOrder: checkOrder(details.displayOrder),
    ...liveColumns(details),
  }),
  detailsOf: (faq) => {
    const { publicId: id, question, phrasings, answer, label, displayOrder } = faq;
    return { id, question, phrasings, answer, label, displayOrder, ...livenessOf(faq) };
  },
  search: {
    kind: 'faq',
    itemOf: ({ publicId: id, question: title, phrasings, answer: body }) => ({
      kind: 'faq',
      id,
      title,
      phrasings,
      body,
    }),
  },
};
