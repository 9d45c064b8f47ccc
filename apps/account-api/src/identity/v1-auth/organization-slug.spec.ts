import { organizationSlug } from './organization-slug';

describe('the slug of an organization', () => {
  it.each([
    ['Acme, Inc.', 'acme-inc'],
    ['  Zürich & Söhne  ', 'zurich-sohne'],
    ['日本', 'organization'],
    ['-'.repeat(100), 'organization'],
    ['a'.repeat(100), 'a'.repeat(40)],
  ])('of %j is %s', (name, slug) => {
    expect(organizationSlug(name)).toBe(slug);
  });
});
