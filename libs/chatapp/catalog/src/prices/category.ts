/** Categories of a template. */
export const TEMPLATE_CATEGORIES = ['marketing', 'utility', 'authentication'] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** Billing categories of a message; `service` is every message that is not a template. */
export const CATEGORIES = [...TEMPLATE_CATEGORIES, 'service'] as const;
export type Category = (typeof CATEGORIES)[number];

export function isTemplateCategory(value: unknown): value is TemplateCategory {
  return TEMPLATE_CATEGORIES.some((category) => category === value);
}
