const MAX_LENGTH = 40;

/** The readable part of a slug: lower-case Latin letters, digits and hyphens of a name. */
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
