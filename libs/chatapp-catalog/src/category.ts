/** What a template may be. */
export const TEMPLATE_CATEGORIES = ['marketing', 'utility', 'authentication'] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/** What a message may be billed as: `service` is everything that is no template. */
export const CATEGORIES = [...TEMPLATE_CATEGORIES, 'service'] as const;
export type Category = (typeof CATEGORIES)[number];

export function isTemplateCategory(value: unknown): value is TemplateCategory {
  return TEMPLATE_CATEGORIES.some((category) => category === value);
}
