import { EMAIL_TEMPLATES } from '@heliograph/email-catalog';
import type { LimitedKind } from '@heliograph/tenancy';
import { SMS_TEMPLATES } from '@heliograph/sms-catalog';

const WORKSPACES = 'SELECT FROM tenancy.workspaces WHERE organization_id = $1';
const MEMBERS = `
  SELECT FROM users.members WHERE organization_id = $1
  UNION ALL
  SELECT FROM users.invitations
  WHERE organization_id = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()`;
const API_KEYS = 'SELECT FROM auth.api_keys WHERE organization_id = $1 AND revoked_at IS NULL';

/** The kinds of objects whose number is limited per organization. */
export const LIMITED = {
  workspaces: { setting: 'LIMITS_WORKSPACES', rows: WORKSPACES },
  members: { setting: 'LIMITS_MEMBERS', rows: MEMBERS },
  apiKeys: { setting: 'LIMITS_API_KEYS', rows: API_KEYS },
  smsOnboardings: {
    setting: 'LIMITS_SMS_ONBOARDINGS',
    rows: 'SELECT FROM sms.onboardings WHERE organization_id = $1',
  },
  smsSenders: { setting: 'LIMITS_SMS_SENDERS', rows: 'SELECT FROM sms.senders WHERE organization_id = $1' },
  smsTemplates: SMS_TEMPLATES,
  emailDomains: { setting: 'LIMITS_EMAIL_DOMAINS', rows: 'SELECT FROM email.domains WHERE organization_id = $1' },
  emailSenders: { setting: 'LIMITS_EMAIL_SENDERS', rows: 'SELECT FROM email.senders WHERE organization_id = $1' },
  emailTemplates: EMAIL_TEMPLATES,
  emailSuppressions: {
    setting: 'LIMITS_EMAIL_SUPPRESSIONS',
    rows: `SELECT FROM email.suppressions WHERE organization_id = $1 AND message_id IS NULL`,
  },
  webhooks: {
    setting: 'LIMITS_WEBHOOKS',
    rows: 'SELECT FROM webhooks.subscriptions WHERE organization_id = $1',
  },
  bots: { setting: 'LIMITS_BOTS', rows: 'SELECT FROM bots.bots WHERE organization_id = $1' },
} as const satisfies Readonly<Record<string, LimitedKind>>;
