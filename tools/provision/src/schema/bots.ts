import { BOT_STATUSES, FIELD_TYPES } from '@heliograph/bot-catalog';
import { z } from 'zod';
import { refuseRepeats, slug, text } from './fields';

const live = { enabled: z.boolean().default(true), published: z.boolean().default(true) };
const displayOrder = z.number().int().optional();

const faq = z.strictObject({
  id: text,
  question: text,
  /** Paraphrases of the question. If omitted, the existing ones remain. */
  phrasings: z.array(text).optional(),
  answer: text,
  label: text.nullable().default(null),
  /** Default: the position in the file. */
  displayOrder,
  ...live,
});

const article = z.strictObject({
  title: text,
  body: text,
  /** If omitted, the existing one remains. */
  url: z.url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://' }).nullish(),
  ...live,
});

const shortcut = z.strictObject({
  id: text,
  label: text,
  command: z.string().regex(/^\/\S+$/, 'must be a slash and a word, such as /returns'),
  description: z.string().default(''),
  type: text,
  query: text.nullable().default(null),
  displayOrder: z.number().int().default(0),
  ...live,
});

const field = z.strictObject({
  key: text,
  label: text,
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(false),
  options: z.array(text).optional(),
});

const form = z
  .strictObject({
    id: text,
    title: text,
    trigger: z.strictObject({ keywords: z.array(text).default([]) }).prefault({}),
    fields: z.array(field),
    /** If omitted, the existing one remains. */
    confirmation: text.nullish(),
    displayOrder,
    ...live,
  })
  .superRefine(({ fields }, context) => refuseRepeats(context, fields, ['fields'], 'key', ({ key }) => key));

const bot = z
  .strictObject({
    publicId: text,
    name: text,
    slug,
    locale: text.default('en'),
    status: z.enum(BOT_STATUSES).default('active'),
    workspace: slug,
    avatarUrl: z.url('must be a URL').nullable().default(null),
    /** Free-form; hosted pages and the widget read the fields that they support. */
    settings: z.record(z.string(), z.json()).default({}),
    version: z.strictObject({ number: z.number().int().min(1).max(1_000_000_000), tone: text }).optional(),
    faqs: z.array(faq).default([]),
    knowledge: z.array(article).default([]),
    shortcuts: z.array(shortcut).default([]),
    forms: z.array(form).default([]),
  })
  .superRefine(({ faqs, knowledge, shortcuts, forms }, context) => {
    refuseRepeats(context, faqs, ['faqs'], 'id', ({ id }) => id);
    refuseRepeats(context, knowledge, ['knowledge'], 'title', ({ title }) => title.trim());
    refuseRepeats(context, shortcuts, ['shortcuts'], 'id', ({ id }) => id);
    refuseRepeats(context, shortcuts, ['shortcuts'], 'command', ({ command }) => command.toLowerCase());
    refuseRepeats(context, forms, ['forms'], 'id', ({ id }) => id);
  });

export const bots = z.array(bot);
export type ProvisionedBot = z.output<typeof bot>;
