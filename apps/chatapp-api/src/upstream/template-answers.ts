import { isTemplateCategory, type TemplateCategory, type TemplateComponent } from '@heliograph/chatapp-catalog';
import { z } from 'zod';
import type { UpstreamRefusal } from './refusal';

/** A template in the provider's catalog. */
export interface UpstreamTemplate {
  id: string;
  name: string;
  language: string;
  category: TemplateCategory;
  /** Status in upper case. */
  status: string;
  components: TemplateComponent[];
  /** Null if the provider's default applies. */
  message_send_ttl_seconds: number | null;
}

export interface TemplatePage {
  templates: UpstreamTemplate[];
  /** Number of unusable entries: entries without a name or with an unknown category. */
  unusable: number;
  /** Cursor of the next page; null on the last page. */
  next: string | null;
}

/** The result of creating a template. */
export type CreateAnswer =
  | {
      kind: 'created';
      id: string;
      status: string;
      /** Null if the provider did not change it. */
      category: TemplateCategory | null;
    }
  /** The account already has a template with this name and language. */
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
  // An invalid value is ignored, because the template is usable without it.
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

/** Returns null for an invalid page. Only the cursor of the next page is used, never its URL. */
export function readTemplatePage(json: unknown): TemplatePage | null {
  const parsed = page.safeParse(json);
  if (!parsed.success) return null;
  const { data, paging } = parsed.data;
  const entries = data.map((one) => entry.safeParse(one));
  const templates = entries.flatMap((one) => (one.success ? [one.data] : []));
  const next = paging?.next === undefined ? null : (paging.cursors?.after ?? null);
  return { templates, unusable: entries.length - templates.length, next };
}

/** Returns null if the response does not identify the template. */
export function readCreated(json: unknown): Extract<CreateAnswer, { kind: 'created' }> | null {
  const parsed = created.safeParse(json);
  return parsed.success ? { kind: 'created', ...parsed.data } : null;
}
