import type { MigrationSet } from '@heliograph/database';
import { LocalDelivery } from './local-delivery.entity';
import { Outbox1700000000000 } from './migrations/1700000000000-outbox';
import { OutboxRow } from './outbox-row.entity';

export const messagingMigrations: MigrationSet = { schema: 'messaging', migrations: [Outbox1700000000000] };
export const messagingEntities = [OutboxRow, LocalDelivery];
