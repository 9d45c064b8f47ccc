/** Returns the fields of a JSON body. `null` counts as absent, and a category is converted to lower case. */
export function normalizeJson(body: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const { category } = fields;
  return typeof category === 'string' ? { ...fields, category: category.toLowerCase() } : fields;
}
