import { databaseSettings } from '@heliograph/database';
import { messagingSettings } from '@heliograph/messaging';
import { loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const plansByPrice = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string().min(1), z.string().min(1)))
  .transform((plans) => new Map(Object.entries(plans)));

const listOf = (separator: string) => (text: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const billingHookSettings = z.object({
  ...platformSettings.shape,
  ...databaseSettings.shape,
  ...messagingSettings.shape,
  /** The processor's API key. Without it every call is answered BILLING_NOT_CONFIGURED. */
  BILLING_SECRET_KEY: z.string().optional(),
  /** What the processor signs with; while it is rotated the old and the new one, separated by a comma. */
  BILLING_WEBHOOK_SECRET: z
    .string()
    .transform(listOf(','))
    .refine((secrets) => secrets.length === 1 || secrets.length === 2, 'must be one secret, or two while rotating')
    .optional(),
  /** JSON object: lookup key or id of a price to the name of a plan. */
  BILLING_PLANS: plansByPrice.default(new Map()),
  /** A day of the dunning calendar: shorter where somebody wants to watch it. */
  BILLING_DUNNING_DAY_SECONDS: z.coerce.number().positive().default(86_400),
  /** Who the receipts and reminders are from. */
  BILLING_ISSUER_NAME: z.string().default('Heliograph'),
  /** Lines, separated by `|`. */
  BILLING_ISSUER_ADDRESS: z.string().transform(listOf('|')).default([]),
  BILLING_SUPPORT_EMAIL: z.email().optional(),
});

export type BillingHookSettings = z.output<typeof billingHookSettings>;

export function loadBillingHookSettings(environment: Record<string, string | undefined>): BillingHookSettings {
  return loadSettings(billingHookSettings, environment);
}
