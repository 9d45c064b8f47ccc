import { chatappAccountSettings } from '@heliograph/chatapp-catalog';
import { databaseSettings } from '@heliograph/database';
import { messagingSettings } from '@heliograph/messaging';
import { loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const chatappHookSettings = z
  .object({
    ...platformSettings.shape,
    ...databaseSettings.shape,
    ...messagingSettings.shape,
    ...chatappAccountSettings.shape,
    /** What the platform signs with. Without it signatures are not looked at. */
    CHATAPP_APP_SECRET: z.string().optional(),
    /** What the platform says in its handshake. Without it no handshake succeeds. */
    CHATAPP_VERIFY_TOKEN: z.string().optional(),
    NODE_ENV: z.string().optional(),
  })
  .superRefine(({ CHATAPP_APP_SECRET, NODE_ENV }, context) => {
    if (CHATAPP_APP_SECRET !== undefined || NODE_ENV !== 'production') return;
    context.addIssue({
      code: 'custom',
      path: ['CHATAPP_APP_SECRET'],
      message: 'must be set in production: without it anybody may post messages',
    });
  });

export type ChatappHookSettings = z.output<typeof chatappHookSettings>;

export function loadChatappHookSettings(environment: Record<string, string | undefined>): ChatappHookSettings {
  return loadSettings(chatappHookSettings, environment);
}
