import { z } from 'zod';
import { slug, text } from './fields';

const published = { enabled: z.boolean().default(true), published: z.boolean().default(true) };

const bot = z.strictObject({
  publicId: text,
  name: text,
  slug,
  locale: text.default('en'),
  status: z.enum(['draft', 'active', 'paused']).default('active'),
  workspace: slug,
  avatarUrl: z.url('must be an address').nullable().default(null),
  /** Free-form: hosted pages and the widget read of it what they know. */
  settings: z.record(z.string(), z.json()).default({}),
  version: z.strictObject({ number: z.number().int().min(1), tone: text }).optional(),
  faqs: z
    .array(
      z.strictObject({ id: text, question: text, answer: text, label: text.nullable().default(null), ...published }),
    )
    .default([]),
  knowledge: z.array(z.strictObject({ title: text, body: text })).default([]),
  shortcuts: z
    .array(
      z.strictObject({
        id: text,
        label: text,
        command: z.string().regex(/^\/\S+$/, 'must be a slash and a word, such as /returns'),
        description: z.string().default(''),
        type: text,
        query: text.nullable().default(null),
        displayOrder: z.number().int().default(0),
        ...published,
      }),
    )
    .default([]),
  forms: z
    .array(
      z.strictObject({
        id: text,
        title: text,
        trigger: z.strictObject({ keywords: z.array(text).default([]) }).prefault({}),
        fields: z.array(
          z.strictObject({
            key: text,
            label: text,
            type: text,
            required: z.boolean().default(false),
            options: z.array(text).optional(),
          }),
        ),
      }),
    )
    .default([]),
});

export const bots = z.array(bot);
