const MAX_LENGTH = 40;

/** Returns the readable part of a slug: the name in lower-case Latin letters, digits and hyphens. */
export function organizationSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'organization';
}
