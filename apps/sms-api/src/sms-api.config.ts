import { databaseSettings } from '@heliograph/database';
import { messagingSettings } from '@heliograph/messaging';
import { isCountryCode } from '@heliograph/phone';
import { loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';
import { carrierSettingsList } from './carriers/carrier-settings';

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

const smsApiSettings = z
  .object({
    ...platformSettings.shape,
    ...databaseSettings.shape,
    ...messagingSettings.shape,
    /** JSON array of SMPP accounts, in order of preference. */
    SMS_CARRIERS: jsonText.pipe(carrierSettingsList).default([]),
    /** Countries (ISO 3166, comma separated) whose senders and templates need ids of a DLT register. */
    SMS_DLT_COUNTRIES: z
      .string()
      .transform((text) => new Set(text.split(',').map((code) => code.trim().toUpperCase())))
      .refine((codes) => [...codes].every(isCountryCode), 'must be ISO 3166 alpha-2 codes, separated by commas')
      .default(new Set(['IN'])),
    /** Messages older than this are dropped, a week at a time. */
    SMS_RETENTION_DAYS: z.coerce.number().int().min(7).default(90),
    /** How long receipts are matched. */
    SMS_RECEIPT_DAYS: z.coerce.number().int().min(3).default(14),
    /** Writers of accepted messages; a workspace always has the same one. */
    SMS_ACCEPT_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Messages in a worker's hands at once. */
    SMS_SEND_CONCURRENCY: z.coerce.number().int().min(1).max(5_000).default(500),
  })
  .refine((settings) => settings.ROLE === 'api' || settings.SMS_CARRIERS.length > 0, {
    path: ['SMS_CARRIERS'],
    message: 'must name at least one carrier, unless ROLE is api',
  });

export type SmsApiSettings = z.output<typeof smsApiSettings>;

export function loadSmsApiSettings(environment: Record<string, string | undefined>): SmsApiSettings {
  return loadSettings(smsApiSettings, environment);
}
