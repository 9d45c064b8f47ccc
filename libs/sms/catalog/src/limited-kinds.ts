import type { LimitedKind } from '@heliograph/limits';

/** The templates of an organization, for its limit. */
export const SMS_TEMPLATES: LimitedKind = {
  setting: 'LIMITS_SMS_TEMPLATES',
  rows: 'SELECT FROM sms.templates WHERE organization_id = $1',
};
