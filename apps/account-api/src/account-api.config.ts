import { chatappAccountSettings } from '@heliograph/chatapp-catalog';
import { databaseSettings } from '@heliograph/database';
import { emailDomainSettings } from '@heliograph/email-catalog';
import { messagingSettings } from '@heliograph/messaging';
import { loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const list = z.string().transform((text) => text.split(',').map((entry) => entry.trim()));

const origins = list.pipe(
  z.array(
    z.string().refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
      error: 'must be origins such as https://console.example.com, separated by commas',
    }),
  ),
);

const accountApiSettings = z.object({
  ...platformSettings.shape,
  ...databaseSettings.shape,
  ...messagingSettings.shape,
  ...emailDomainSettings.shape,
  ...chatappAccountSettings.shape,
  /** What new keys begin with. */
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9]+$/)
    .default('msg'),
  /** Whose pages may write with a session cookie. Without it: the origin that was asked. */
  PUBLIC_ORIGINS: origins.optional(),
  /** Credential of the platform operator, two while rotating. Without it the operator's endpoints do not exist. */
  PLATFORM_OPERATOR_TOKEN: list
    .pipe(z.array(z.string().min(32, 'must have at least 32 characters')).max(2))
    .default([]),
  /** What an authenticator app shows beside the code. */
  ACCOUNT_MFA_ISSUER: z.string().default('Heliograph'),
  /** Where the mail of an invitation leads; `{token}` is its token. */
  ACCOUNT_INVITATION_URL: z.string().includes('{token}').optional(),
  /** Where the mail for a forgotten password leads. */
  ACCOUNT_PASSWORD_RESET_URL: z.string().includes('{token}').optional(),
  /** Calls a minute and address on login, logout and session; 0: no limit. */
  ACCOUNT_AUTH_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(10),
  /** Calls a minute and key or session on everything else; 0: no limit. */
  ACCOUNT_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(120),
});

export type AccountApiSettings = z.output<typeof accountApiSettings>;

export const ACCOUNT_API_SETTINGS = Symbol('AccountApiSettings');

export function loadAccountApiSettings(environment: Record<string, string | undefined>): AccountApiSettings {
  return loadSettings(accountApiSettings, environment);
}
