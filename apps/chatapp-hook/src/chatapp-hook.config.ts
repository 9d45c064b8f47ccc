import { chatappAccountConfigSchema } from '@heliograph/chatapp-catalog';
import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import {
  flagSetting,
  loadConfig,
  ROTATED_SECRET_FORM,
  rotatedSecretSetting,
  serviceConfigSchema,
  whenValid,
} from '@heliograph/service-kit';
import { z } from 'zod';

export const chatappHookConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...chatappAccountConfigSchema.shape,
    CHATAPP_APP_SECRET: rotatedSecretSetting.optional().meta({
      description:
        'The secret with which the provider signs webhooks. During a rotation, the old and the new secret, separated by a comma.',
      form: ROTATED_SECRET_FORM,
      example: '$(openssl rand -hex 32)',
      secret: true,
    }),
    CHATAPP_VERIFY_TOKEN: z.string().optional().meta({
      description: "The token of the provider's handshake. If it is not set, every handshake fails.",
      example: '$(openssl rand -hex 32)',
      secret: true,
    }),
    CHATAPP_ALLOW_UNSIGNED: flagSetting(false).meta({
      description: 'Accepts webhooks without a signature. For local development without CHATAPP_APP_SECRET only.',
      production: 'off',
    }),
  })
  .refine(
    ({ CHATAPP_APP_SECRET, CHATAPP_ALLOW_UNSIGNED }) => CHATAPP_APP_SECRET !== undefined || CHATAPP_ALLOW_UNSIGNED,
    {
      path: ['CHATAPP_APP_SECRET'],
      message:
        'must be set, because without it any client can post messages. For local development only, set CHATAPP_ALLOW_UNSIGNED=true',
      when: whenValid('CHATAPP_APP_SECRET', 'CHATAPP_ALLOW_UNSIGNED'),
    },
  );

export type ChatappHookConfig = z.output<typeof chatappHookConfigSchema>;

export function loadChatappHookConfig(environment: Record<string, string | undefined>): ChatappHookConfig {
  return loadConfig(chatappHookConfigSchema, environment);
}
