import type { ArticleDetails } from './content/articles';
import type { FaqDetails } from './content/faqs';
import type { FormDetails } from './content/forms';
import type { ShortcutDetails } from './content/shortcuts';

export const refused = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

export const HOURS: Partial<FaqDetails> = { question: 'What are your opening hours?', answer: '9 to 5.' };
export const RETURNS: Partial<ArticleDetails> = { title: 'Returns', body: 'Goods can be returned within 30 days.' };
export const MENU: Partial<ShortcutDetails> = { label: 'Returns', command: '/returns' };
export const LEAD: Partial<FormDetails> = {
  title: 'Leave your details',
  fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
};
