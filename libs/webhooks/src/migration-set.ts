import type { MigrationSet } from '@heliograph/database';
import { Webhooks1700000000000 } from './migrations/1700000000000-webhooks';
import { Subscription } from './subscription.entity';
import advanceClock from './sql/advance-clock.sql';
import append from './sql/append.sql';
import claim from './sql/claim.sql';
import isFree from './sql/is-free.sql';
import matches from './sql/matches.sql';
import newId from './sql/new-id.sql';
import readFeed from './sql/read-feed.sql';
import record from './sql/record.sql';

export const webhooksMigrations: MigrationSet = {
  schema: 'webhooks',
  migrations: [Webhooks1700000000000],
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'new-id', sql: newId },
    { name: 'matches', sql: matches },
    { name: 'append', sql: append },
    { name: 'is-free', sql: isFree },
    { name: 'claim', sql: claim },
    { name: 'record', sql: record },
    { name: 'read-feed', sql: readFeed },
  ],
};

/** Events, deliveries and the queue are hot tables without an entity. */
export const webhooksEntities = [Subscription];
