import type { LimitedKind } from '@heliograph/tenancy';

/** The templates of an organization, for its limit. */
export const EMAIL_TEMPLATES: LimitedKind = {
  setting: 'LIMITS_EMAIL_TEMPLATES',
  rows: 'SELECT FROM email.templates WHERE organization_id = $1',
};
