import { chatappAccountSettings } from '@heliograph/chatapp-catalog';
import { databaseSettings } from '@heliograph/database';
import { messagingSettings } from '@heliograph/messaging';
import { flagSetting, loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const chatappApiSettings = z.object({
  ...platformSettings.shape,
  ...databaseSettings.shape,
  ...messagingSettings.shape,
  ...chatappAccountSettings.shape,
  /** Whether sends are taken, until the platform operator says otherwise. */
  CHATAPP_SENDING_ENABLED: flagSetting(true),
  /** What the upstream knows us by. Without it, or one of the two ids, nothing that needs the upstream works. */
  CHATAPP_ACCESS_TOKEN: z.string().optional(),
  CHATAPP_GRAPH_URL: z.url({ protocol: /^https?$/ }).default('https://graph.facebook.com'),
  CHATAPP_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be like v21.0')
    .default('v21.0'),
  /** Connections to the upstream, of one process. */
  CHATAPP_CONNECTIONS: z.coerce.number().int().min(1).max(1_000).default(256),
  /** How long an answer of the upstream may take. */
  CHATAPP_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
  /** What the account may send in a second, divided by the number of API processes; 0 for no pace. */
  CHATAPP_MESSAGES_PER_SECOND: z.coerce.number().min(0).default(80),
  /** What may be sent to one number at once, and how long until one more may; 0 for no pace. */
  CHATAPP_PAIR_BURST: z.coerce.number().int().min(0).default(45),
  CHATAPP_PAIR_INTERVAL_MS: z.coerce.number().int().min(1).default(6_000),
  /** How long a call waits for its turn before it is told to come back. */
  CHATAPP_MAX_WAIT_MS: z.coerce.number().int().min(0).default(5_000),
  /** A send without an answer is given up after this time. */
  CHATAPP_SETTLE_AFTER_MS: z.coerce.number().int().min(1_000).default(900_000),
  /** Messages older than this are dropped. */
  CHATAPP_RETENTION_DAYS: z.coerce.number().int().min(31).default(90),
  /** Writers of accepted sends; a workspace always has the same one. */
  CHATAPP_ACCEPT_LANES: z.coerce.number().int().min(1).max(16).default(2),
});

export type ChatappApiSettings = z.output<typeof chatappApiSettings>;

export function loadChatappApiSettings(environment: Record<string, string | undefined>): ChatappApiSettings {
  return loadSettings(chatappApiSettings, environment);
}
