import { databaseConfigSchema } from '@heliograph/database';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { isCountryCode } from '@heliograph/addresses';
import { loadConfig, serviceConfigSchema, whenValid } from '@heliograph/service-kit';
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

export const smsApiConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    ...limitsConfig('LIMITS_SMS_SCHEDULED', 'LIMITS_SMS_TEMPLATES'),
    SMS_CARRIERS: jsonText.pipe(carrierConfigList).default([]).meta({
      description: 'SMPP accounts at carriers, in order of preference. Their fields: apps/sms-api/README.md.',
      form: 'a JSON list',
      example:
        '[{"name":"main","host":"smpp.carrier.example","systemId":"heliograph","password":"$(openssl rand -hex 4)"}]',
      secret: true,
    }),
    SMS_DLT_COUNTRIES: z
      .string()
      .transform((text) => new Set(text.split(',').map((code) => code.trim().toUpperCase())))
      .refine((codes) => [...codes].every(isCountryCode), 'must be ISO 3166 alpha-2 codes, separated by commas')
      .default(new Set(['IN']))
      .meta({
        description: 'Countries that require DLT ids on senders and templates.',
        form: 'ISO 3166 alpha-2 codes, separated by commas',
        example: 'IN',
      }),
    SMS_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(7)
      .default(90)
      .meta({ description: 'Retention of messages in days; older partitions are dropped weekly.' }),
    SMS_BODY_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(7)
      .default(90)
      .meta({ description: 'Retention of the text of messages in days; the other fields of a message are retained.' }),
    SMS_RECEIPT_DAYS: z.coerce
      .number()
      .int()
      .min(3)
      .default(14)
      .meta({ description: 'Number of days during which receipts are matched.' }),
    SMS_ACCEPT_LANES: z.coerce
      .number()
      .int()
      .min(1)
      .max(16)
      .default(2)
      .meta({ description: 'Number of lanes that accept messages; a workspace always uses the same lane.' }),
    SMS_SEND_CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(5_000)
      .default(500)
      .meta({ description: 'Maximum number of messages that a worker processes concurrently.' }),
  })
  .refine((config) => config.ROLE === 'api' || config.SMS_CARRIERS.length > 0, {
    path: ['SMS_CARRIERS'],
    message: 'is not set or empty, which only a process with ROLE=api may have',
    when: whenValid('ROLE', 'SMS_CARRIERS'),
  });

export type SmsApiConfig = z.output<typeof smsApiConfigSchema>;

export function loadSmsApiConfig(environment: Record<string, string | undefined>): SmsApiConfig {
  return loadConfig(smsApiConfigSchema, environment);
}
