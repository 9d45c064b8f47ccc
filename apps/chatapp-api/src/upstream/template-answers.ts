import { isTemplateCategory, type TemplateCategory, type TemplateComponent } from '@heliograph/chatapp-catalog';
import { z } from 'zod';
import type { UpstreamRefusal } from './refusal';

/** A template in the provider's catalog. */
export interface UpstreamTemplate {
  id: string;
  name: string;
  language: string;
  category: TemplateCategory;
  /** In capitals. */
  status: string;
  components: TemplateComponent[];
  /** Null: the provider's default. */
  message_send_ttl_seconds: number | null;
}

export interface TemplatePage {
  templates: UpstreamTemplate[];
  /** Entries that cannot be used: without a name, or with an unknown category. */
  unusable: number;
  /** Cursor of the next page; null after the last one. */
  next: string | null;
}

/** The result of creating a template. */
export type CreateAnswer =
  | {
      kind: 'created';
      id: string;
      status: string;
      /** Null: as requested. */
      category: TemplateCategory | null;
    }
  /** The account already has a template of this name and language. */
  | { kind: 'exists'; error: UpstreamRefusal }
  | { kind: 'refused'; error: UpstreamRefusal }
  | { kind: 'unanswered'; reason: string };

const id = z.union([z.string().min(1).max(200), z.number().int().transform(String)]);
const status = z
  .string()
  .regex(/^\w{1,40}$/)
  .toUpperCase();
const category = z.string().toLowerCase().refine(isTemplateCategory);

const entry = z.object({
  id,
  name: z.string().min(1).max(512),
  language: z.string().min(1).max(20),
  category,
  status,
  components: z.array(z.looseObject({ type: z.string() })).default([]),
  // An odd value does not make the template unusable.
  message_send_ttl_seconds: z.int32().nullable().catch(null),
});

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ next: z.string().optional(), cursors: z.object({ after: z.string().min(1).optional() }).optional() })
    .optional(),
});

const created = z.object({
  id,
  status: status.default('PENDING'),
  category: category.nullable().catch(null),
});

/** Null for an invalid page. The address of the next page is not followed; only the cursor is used. */
export function readTemplatePage(json: unknown): TemplatePage | null {
  const parsed = page.safeParse(json);
  if (!parsed.success) return null;
  const { data, paging } = parsed.data;
  const entries = data.map((one) => entry.safeParse(one));
  const templates = entries.flatMap((one) => (one.success ? [one.data] : []));
  const next = paging?.next === undefined ? null : (paging.cursors?.after ?? null);
  return { templates, unusable: entries.length - templates.length, next };
}

/** Null when the answer does not identify the template. */
export function readCreated(json: unknown): Extract<CreateAnswer, { kind: 'created' }> | null {
  const parsed = created.safeParse(json);
  return parsed.success ? { kind: 'created', ...parsed.data } : null;
}
