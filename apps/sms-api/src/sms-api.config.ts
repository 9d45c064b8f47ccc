import { databaseConfigSchema } from '@heliograph/database';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { isCountryCode } from '@heliograph/addresses';
import { loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { z } from 'zod';
import { carrierConfigList } from './carriers/carrier-config';

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

const smsApiConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    ...limitsConfig('LIMITS_SMS_SCHEDULED', 'LIMITS_SMS_TEMPLATES'),
    /** JSON array of SMPP accounts, in order of preference. */
    SMS_CARRIERS: jsonText.pipe(carrierConfigList).default([]),
    /** Countries (ISO 3166 codes, comma-separated) that require DLT ids on senders and templates. */
    SMS_DLT_COUNTRIES: z
      .string()
      .transform((text) => new Set(text.split(',').map((code) => code.trim().toUpperCase())))
      .refine((codes) => [...codes].every(isCountryCode), 'must be ISO 3166 alpha-2 codes, separated by commas')
      .default(new Set(['IN'])),
    /** Retention of messages in days; older partitions are dropped weekly. */
    SMS_RETENTION_DAYS: z.coerce.number().int().min(7).default(90),
    /** Retention of the text of messages in days; the other fields of a message are retained. */
    SMS_BODY_RETENTION_DAYS: z.coerce.number().int().min(7).default(90),
    /** Number of days during which receipts are matched. */
    SMS_RECEIPT_DAYS: z.coerce.number().int().min(3).default(14),
    /** Number of lanes that accept messages; a workspace always uses the same lane. */
    SMS_ACCEPT_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Maximum number of messages that a worker processes concurrently. */
    SMS_SEND_CONCURRENCY: z.coerce.number().int().min(1).max(5_000).default(500),
  })
  .refine((config) => config.ROLE === 'api' || config.SMS_CARRIERS.length > 0, {
    path: ['SMS_CARRIERS'],
    message: 'must contain at least one carrier unless ROLE is api',
  });

export type SmsApiConfig = z.output<typeof smsApiConfigSchema>;

export function loadSmsApiConfig(environment: Record<string, string | undefined>): SmsApiConfig {
  return loadConfig(smsApiConfigSchema, environment);
}
