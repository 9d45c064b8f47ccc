import { chatappAccountConfigSchema } from '@heliograph/chatapp-catalog';
import { databaseConfigSchema } from '@heliograph/database';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { flagSetting, loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { z } from 'zod';

export const chatappApiConfigSchema = z.object({
  ...serviceConfigSchema.shape,
  ...databaseConfigSchema.shape,
  ...messagingConfigSchema.shape,
  ...personsConfig,
  ...chatappAccountConfigSchema.shape,
  ...limitsConfig('LIMITS_CHATAPP_TEMPLATES', 'LIMITS_CHATAPP_MEDIA', 'LIMITS_CHATAPP_CONSENTS'),
  CHATAPP_SENDING_ENABLED: flagSetting(true).meta({
    description: 'Whether sending is enabled until the operator overrides it.',
  }),
  CHATAPP_ACCESS_TOKEN: z.string().optional().meta({
    description:
      'Access token of the business account at the provider. If the token or one of the ids is missing, every operation that calls the provider is refused.',
    example: '$(cat token)',
    secret: true,
  }),
  CHATAPP_GRAPH_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://graph.facebook.com')
    .meta({ description: "Base URL of the provider's Graph API." }),
  CHATAPP_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must have the form v21.0')
    .default('v21.0')
    .meta({ description: "Version of the provider's Graph API.", form: 'a version such as v21.0' }),
  CHATAPP_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(256)
    .meta({ description: 'Maximum number of connections of one process to the provider.' }),
  CHATAPP_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .meta({ description: 'Timeout of a call to the provider.' }),
  CHATAPP_MESSAGES_PER_SECOND: z.coerce.number().min(0).default(0).meta({
    description:
      'Messages per second that the account may send, divided by the number of API processes. 0 disables the limit: then only the provider limits sends, and its 429 is passed on.',
  }),
  CHATAPP_PAIR_BURST: z.coerce.number().int().min(0).default(0).meta({
    description: 'Burst of messages to one number, of which providers usually accept 45; 0 disables the limit.',
  }),
  CHATAPP_PAIR_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(6_000)
    .meta({ description: 'Interval after which the limit per recipient allows one more message.' }),
  CHATAPP_MAX_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(5_000)
    .meta({ description: 'Maximum time that a send waits in the queue before it is refused with Retry-After.' }),
  CHATAPP_SETTLE_AFTER_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(900_000)
    .meta({ description: 'A send without a response from the provider is marked as failed after this time.' }),
  CHATAPP_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .default(90)
    .meta({ description: 'Retention of messages in days.' }),
  CHATAPP_BODY_RETENTION_DAYS: z.coerce.number().int().min(7).default(90).meta({
    description: 'Retention of the content of inbound messages in days; the other fields of a message are retained.',
  }),
  CHATAPP_ACCEPT_LANES: z.coerce
    .number()
    .int()
    .min(1)
    .max(16)
    .default(2)
    .meta({ description: 'Number of lanes that accept sends; a workspace always uses the same lane.' }),
});

export type ChatappApiConfig = z.output<typeof chatappApiConfigSchema>;

export function loadChatappApiConfig(environment: Record<string, string | undefined>): ChatappApiConfig {
  return loadConfig(chatappApiConfigSchema, environment);
}
