import { chatappCatalogEntities, chatappCatalogMigrations } from '@heliograph/chatapp-catalog';
import type { MigrationSet } from '@heliograph/database';
import { ChatappAllowanceUse } from './allowance-use.entity';
import { ChatappMedia } from './media.entity';
import { ChatappMessage } from './message.entity';
import { ChatappMessages1700000000001 } from './migrations/1700000000001-chatapp-messages';
import { ChatappNumber, ChatappNumberAlias } from './number.entity';
import { ChatappParkedStatus } from './parked-status.entity';

/** The catalog shares the schema, and so the list of what has been run: one set, in one order. */
export const chatappMigrations: MigrationSet = {
  schema: 'chatapp',
  migrations: [...chatappCatalogMigrations.migrations, ChatappMessages1700000000001],
};
export const chatappEntities = [
  ...chatappCatalogEntities,
  ChatappAllowanceUse,
  ChatappMedia,
  ChatappMessage,
  ChatappNumber,
  ChatappNumberAlias,
  ChatappParkedStatus,
];
