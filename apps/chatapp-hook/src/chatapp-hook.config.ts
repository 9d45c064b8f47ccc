import { chatappAccountConfigSchema } from '@heliograph/chatapp-catalog';
import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { flagSetting, loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { z } from 'zod';

const chatappHookConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...chatappAccountConfigSchema.shape,
    /** The secret with which the provider signs webhooks. */
    CHATAPP_APP_SECRET: z.string().optional(),
    /** The token of the provider's handshake. If it is not set, every handshake fails. */
    CHATAPP_VERIFY_TOKEN: z.string().optional(),
    /** Accepts webhooks without a signature. For local development without CHATAPP_APP_SECRET only. */
    CHATAPP_ALLOW_UNSIGNED: flagSetting(false).meta({ production: 'off' }),
  })
  .refine(
    ({ CHATAPP_APP_SECRET, CHATAPP_ALLOW_UNSIGNED }) => CHATAPP_APP_SECRET !== undefined || CHATAPP_ALLOW_UNSIGNED,
    {
      path: ['CHATAPP_APP_SECRET'],
      message:
        'must be set, because without it any client can post messages. For local development only, set CHATAPP_ALLOW_UNSIGNED=true',
      // Also runs if other variables are invalid, so that the error lists all problems.
      when: () => true,
    },
  );

export type ChatappHookConfig = z.output<typeof chatappHookConfigSchema>;

export function loadChatappHookConfig(environment: Record<string, string | undefined>): ChatappHookConfig {
  return loadConfig(chatappHookConfigSchema, environment);
}
