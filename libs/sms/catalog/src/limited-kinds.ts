import type { LimitedKind } from '@heliograph/tenancy';

/** The templates of an organization, for its limit. */
export const SMS_TEMPLATES: LimitedKind = {
  setting: 'LIMITS_SMS_TEMPLATES',
  rows: 'SELECT FROM sms.templates WHERE organization_id = $1',
};
