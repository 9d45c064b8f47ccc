import type { MigrationSet } from '@heliograph/database';
import { ChatappAccount } from './accounts/account.entity';
import { ChatappAllowance } from './prices/allowance.entity';
import { ChatappConsent } from './consents/consent.entity';
import { ChatappCatalog1700000000000 } from './migrations/1700000000000-chatapp-catalog';
import { ChatappMessages1700000000001 } from './migrations/1700000000001-chatapp-messages';
import { InboundTimes1700000000010 } from './migrations/1700000000010-inbound-times';
import { MessageLists1700000000020 } from './migrations/1700000000020-message-lists';
import { ChatappPrice } from './prices/price.entity';
import { ChatappSendingSwitch } from './sending-switch.entity';
import { ChatappTemplate } from './template.entity';

/** All tables of the schema. Its functions are in the migration set of the code that calls them. */
export const chatappCatalogMigrations: MigrationSet = {
  schema: 'chatapp',
  migrations: [
    ChatappCatalog1700000000000,
    ChatappMessages1700000000001,
    InboundTimes1700000000010,
    MessageLists1700000000020,
  ],
};
export const chatappCatalogEntities = [
  ChatappAccount,
  ChatappAllowance,
  ChatappConsent,
  ChatappPrice,
  ChatappSendingSwitch,
  ChatappTemplate,
];
