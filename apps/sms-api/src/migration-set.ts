import type { MigrationSet } from '@heliograph/database';
import { smsCatalogEntities, smsCatalogMigrations } from '@heliograph/sms-catalog';
import { Message } from './messages/message.entity';
import { SmsMessages1700000000001 } from './migrations/1700000000001-sms-messages';
import { MessagePart } from './receipts/message-part.entity';
import { ParkedReceipt } from './receipts/parked-receipt.entity';

/** The catalog shares the schema, and so the list of what has been run: one set, in one order. */
export const smsMigrations: MigrationSet = {
  schema: 'sms',
  migrations: [...smsCatalogMigrations.migrations, SmsMessages1700000000001],
};
export const smsEntities = [...smsCatalogEntities, Message, MessagePart, ParkedReceipt];
