import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { PROCESSOR_SIGNATURE_HEADER } from '@heliograph/secrets';
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

const billingHookConfig = z.object({
  ...serviceConfigSchema.shape,
  ...databaseConfigSchema.shape,
  ...messagingConfigSchema.shape,
  /** API key of the processor. If it is not set, every request fails with BILLING_NOT_CONFIGURED. */
  BILLING_SECRET_KEY: z.string().optional(),
  /** Webhook secret of the processor. During a rotation, the old and the new secret, separated by a comma. */
  BILLING_WEBHOOK_SECRET: z
    .string()
    .transform(listOf(','))
    .refine((secrets) => secrets.length === 1 || secrets.length === 2, 'must be one secret, or two during a rotation')
    .optional(),
  /** Header with the signature. The processor's own library calls it by the name of the processor. */
  BILLING_SIGNATURE_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header, such as Processor-Signature')
    .default(PROCESSOR_SIGNATURE_HEADER),
  /** JSON object that maps price lookup keys or price ids to plan names. */
  BILLING_PLANS: plansByPrice.default(new Map()),
  /** Retention of applied events of the processor in days. */
  BILLING_EVENT_RETENTION_DAYS: z.coerce.number().int().min(31).default(400),
  /** Length of a day in the dunning schedule, in seconds. Shorter values are for tests and demonstrations. */
  BILLING_DUNNING_DAY_SECONDS: z.coerce.number().positive().default(86_400),
  /** Issuer of receipts and sender of reminders. */
  BILLING_ISSUER_NAME: z.string().default('Heliograph'),
  /** Postal address of the issuer. Its lines are separated by `|`. */
  BILLING_ISSUER_ADDRESS: z.string().transform(listOf('|')).default([]),
  BILLING_SUPPORT_EMAIL: z.email().optional(),
});

export type BillingHookConfig = z.output<typeof billingHookConfig>;

export function loadBillingHookConfig(environment: Record<string, string | undefined>): BillingHookConfig {
  return loadConfig(billingHookConfig, environment);
}
