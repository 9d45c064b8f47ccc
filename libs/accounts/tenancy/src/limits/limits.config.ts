import { z } from 'zod';

const UNUSED = 'Remove some that you no longer need';

interface Cap {
  /** The default. */
  most: number;
  /** For error messages. */
  what: string;
  /** The remedy that the error message suggests to the caller. */
  remedy: string;
}

/** The maximum number of objects of a kind per organization, by the name of the setting. */
export const LIMITS = {
  LIMITS_WORKSPACES: { most: 100, what: 'workspaces', remedy: 'Use an existing one' },
  LIMITS_MEMBERS: { most: 500, what: 'members and open invitations', remedy: UNUSED },
  LIMITS_API_KEYS: { most: 500, what: 'API keys', remedy: 'Revoke some that you no longer need' },
  LIMITS_SMS_ONBOARDINGS: { most: 200, what: 'onboardings', remedy: UNUSED },
  LIMITS_SMS_SENDERS: { most: 1_000, what: 'SMS senders', remedy: UNUSED },
  LIMITS_SMS_TEMPLATES: { most: 5_000, what: 'SMS templates', remedy: UNUSED },
  LIMITS_SMS_SCHEDULED: { most: 200_000, what: 'scheduled messages', remedy: 'Cancel some, or schedule more later' },
  LIMITS_EMAIL_DOMAINS: { most: 100, what: 'email domains', remedy: UNUSED },
  LIMITS_EMAIL_SENDERS: { most: 1_000, what: 'email senders', remedy: UNUSED },
  LIMITS_EMAIL_TEMPLATES: { most: 2_000, what: 'email templates', remedy: UNUSED },
  LIMITS_EMAIL_SUPPRESSIONS: { most: 100_000, what: 'suppressions added by hand', remedy: UNUSED },
  LIMITS_EMAIL_SCHEDULED: { most: 200_000, what: 'scheduled sends', remedy: 'Cancel some, or schedule more later' },
  LIMITS_CHATAPP_TEMPLATES: { most: 250, what: 'chat-app templates', remedy: UNUSED },
  LIMITS_CHATAPP_MEDIA: {
    most: 10_000,
    what: 'files uploaded within 30 days',
    remedy: 'Send files that are uploaded already, or links',
  },
  LIMITS_CHATAPP_CONSENTS: { most: 1_000_000, what: 'consents', remedy: 'Change consents that are recorded already' },
  LIMITS_CONTACTS: { most: 5_000_000, what: 'contacts', remedy: UNUSED },
  LIMITS_CONTACT_GROUPS: { most: 1_000, what: 'contact groups', remedy: UNUSED },
  LIMITS_WEBHOOKS: { most: 50, what: 'webhooks', remedy: UNUSED },
  LIMITS_BOTS: { most: 100, what: 'bots', remedy: UNUSED },
} as const satisfies Readonly<Record<string, Cap>>;

export type LimitSetting = keyof typeof LIMITS;
export type LimitsConfig = Record<LimitSetting, number>;

const cap = ({ most, what }: Cap) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000_000)
    .default(most)
    .meta({ description: `Maximum number of ${what} per organization; 0 disables the limit.` });

/** The settings of the kinds that a service creates. */
export function limitsConfig<Setting extends LimitSetting>(
  ...settings: readonly Setting[]
): Record<Setting, ReturnType<typeof cap>> {
  return Object.fromEntries(settings.map((setting) => [setting, cap(LIMITS[setting])])) as Record<
    Setting,
    ReturnType<typeof cap>
  >;
}
