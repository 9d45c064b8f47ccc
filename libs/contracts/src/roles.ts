/** What a person, or a key without scopes, may do in an organization. The first may do most. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
