import type { LimitedKind } from '@heliograph/tenancy';

export const CONTACTS: LimitedKind = {
  setting: 'LIMITS_CONTACTS',
  rows: 'SELECT FROM contacts.contacts WHERE organization_id = $1',
};
export const CONTACT_GROUPS: LimitedKind = {
  setting: 'LIMITS_CONTACT_GROUPS',
  rows: 'SELECT FROM contacts.groups WHERE organization_id = $1',
};
