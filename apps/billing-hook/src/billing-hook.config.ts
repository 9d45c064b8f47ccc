import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { loadConfig, serviceConfigSchema, ROTATED_SECRET_FORM, rotatedSecretSetting } from '@heliograph/service-kit';
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

export const billingHookConfigSchema = z.object({
  ...serviceConfigSchema.shape,
  ...databaseConfigSchema.shape,
  ...messagingConfigSchema.shape,
  BILLING_SECRET_KEY: z.string().optional().meta({
    description: 'API key of the processor. If it is not set, every request fails with BILLING_NOT_CONFIGURED.',
    example: '$(cat secret-key)',
    secret: true,
  }),
  BILLING_WEBHOOK_SECRET: rotatedSecretSetting.optional().meta({
    description:
      'Webhook secret of the processor. During a rotation, the old and the new secret, separated by a comma.',
    form: ROTATED_SECRET_FORM,
    example: '$(cat webhook-secret)',
    secret: true,
  }),
  BILLING_SIGNATURE_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header, such as Processor-Signature')
    .default(PROCESSOR_SIGNATURE_HEADER)
    .meta({
      description: "Header with the signature. The processor's own library calls it by the name of the processor.",
      form: 'the name of a header',
    }),
  BILLING_PLANS: plansByPrice.default(new Map()).meta({
    description:
      'Names of plans by price lookup key or price id. For other prices, the plan is `metadata.plan`, otherwise `pro`.',
    form: 'a JSON object',
    example: '{"pro_monthly":"pro"}',
  }),
  BILLING_EVENT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .default(400)
    .meta({ description: 'Retention of applied events of the processor in days.' }),
  BILLING_DUNNING_DAY_SECONDS: z.coerce.number().positive().default(86_400).meta({
    description: 'Length of a day in the dunning schedule. Shorter values are for tests and demonstrations.',
  }),
  BILLING_ISSUER_NAME: z
    .string()
    .default('Heliograph')
    .meta({ description: 'Name of the issuer of receipts and of the sender of reminders.' }),
  BILLING_ISSUER_ADDRESS: z.string().transform(listOf('|')).default([]).meta({
    description: 'Postal address of the issuer. Its lines are separated by `|`.',
    form: 'lines separated by |',
    example: '1 Main Street|Springfield',
  }),
  BILLING_SUPPORT_EMAIL: z
    .email()
    .optional()
    .meta({ description: 'Address for questions in receipts and reminders.', example: 'billing@example.com' }),
});

export type BillingHookConfig = z.output<typeof billingHookConfigSchema>;

export function loadBillingHookConfig(environment: Record<string, string | undefined>): BillingHookConfig {
  return loadConfig(billingHookConfigSchema, environment);
}
