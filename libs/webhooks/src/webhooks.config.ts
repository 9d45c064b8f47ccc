import { secretsConfigSchema } from '@heliograph/secrets';
import { flagSetting } from '@heliograph/service-kit';
import { z } from 'zod';
import { parseNetworks } from './delivery/address-guard';

const networks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((network) => network.trim())
      .filter((network) => network !== ''),
  )
  .refine(
    (list) => {
      try {
        parseNetworks(list);
        return true;
      } catch {
        return false;
      }
    },
    { error: 'must be networks such as 127.0.0.0/8,10.1.0.0/16' },
  );

/** Configuration of outbound webhooks. */
export const webhooksConfigSchema = z.object({
  ...secretsConfigSchema.shape,
  WEBHOOK_ALLOW_HTTP: flagSetting(false).meta({ description: 'Whether webhooks may have http:// URLs.' }),
  WEBHOOK_ALLOWED_NETWORKS: networks.meta({
    description:
      'Networks that are not globally reachable and that webhooks may use nevertheless; never the services themselves.',
    form: 'CIDR ranges, separated by commas',
    example: '10.1.0.0/16',
  }),
  PUBLIC_BOTS_URL: z.url().optional().meta({
    description: 'Base URL of the hosted pages of bots, to which webhooks may not deliver.',
    example: 'https://bots.example.com',
    defaultsTo: 'PUBLIC_BASE_URL',
    production: 'https-if-set',
  }),
});

/** Settings with the internal base URLs of the other services, to which webhooks may not deliver. */
export const SERVICE_URLS = [
  'SMS_API_URL',
  'EMAIL_API_URL',
  'CHATAPP_API_URL',
  'BOT_RUNTIME_URL',
  'CHATAPP_HOOK_URL',
  'BILLING_HOOK_URL',
] as const;

export type WebhooksConfig = z.output<typeof webhooksConfigSchema> & {
  PORT: number;
} & Partial<Record<'PUBLIC_BASE_URL' | 'PUBLIC_TRACKING_URL' | (typeof SERVICE_URLS)[number], string | undefined>>;
