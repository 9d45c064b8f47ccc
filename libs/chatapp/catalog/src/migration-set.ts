import type { MigrationSet } from '@heliograph/database';
import { ChatappAccount } from './account.entity';
import { ChatappAllowance } from './allowance.entity';
import { ChatappConsent } from './consent.entity';
import { ChatappCatalog1700000000000 } from './migrations/1700000000000-chatapp-catalog';
import { ChatappPrice } from './price.entity';
import { ChatappSendingSwitch } from './sending-switch.entity';
import { ChatappTemplate } from './template.entity';

/** The messages of libs/chatapp/messages are in the same schema; its migration set includes this migration too. */
export const chatappCatalogMigrations: MigrationSet = { schema: 'chatapp', migrations: [ChatappCatalog1700000000000] };
export const chatappCatalogEntities = [
  ChatappAccount,
  ChatappAllowance,
  ChatappConsent,
  ChatappPrice,
  ChatappSendingSwitch,
  ChatappTemplate,
];
