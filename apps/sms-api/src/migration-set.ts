import type { MigrationSet } from '@heliograph/database';
import { Onboarding } from './catalog/onboarding.entity';
import { Rate } from './catalog/rate.entity';
import { Sender } from './catalog/sender.entity';
import { Template } from './catalog/template.entity';
import { Message } from './messages/message.entity';
import { SmsCatalog1700000000000 } from './migrations/1700000000000-sms-catalog';
import { SmsMessages1700000000001 } from './migrations/1700000000001-sms-messages';
import { MessagePart } from './receipts/message-part.entity';
import { ParkedReceipt } from './receipts/parked-receipt.entity';

export const smsMigrations: MigrationSet = {
  schema: 'sms',
  migrations: [SmsCatalog1700000000000, SmsMessages1700000000001],
};
export const smsEntities = [Onboarding, Sender, Template, Rate, Message, MessagePart, ParkedReceipt];
