import { chatappAccountConfigSchema } from '@heliograph/chatapp-catalog';
import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { z } from 'zod';

const chatappHookConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...chatappAccountConfigSchema.shape,
    /** The secret with which the provider signs webhooks. Without it signatures are not checked. */
    CHATAPP_APP_SECRET: z.string().optional(),
    /** The token of the provider's handshake. Without it every handshake fails. */
    CHATAPP_VERIFY_TOKEN: z.string().optional(),
    NODE_ENV: z.string().optional(),
  })
  .superRefine(({ CHATAPP_APP_SECRET, NODE_ENV }, context) => {
    if (CHATAPP_APP_SECRET !== undefined || NODE_ENV !== 'production') return;
    context.addIssue({
      code: 'custom',
      path: ['CHATAPP_APP_SECRET'],
      message: 'must be set in production: without it anybody can post messages',
    });
  });

export type ChatappHookConfig = z.output<typeof chatappHookConfigSchema>;

export function loadChatappHookConfig(environment: Record<string, string | undefined>): ChatappHookConfig {
  return loadConfig(chatappHookConfigSchema, environment);
}
