import type { MigrationSet } from '@heliograph/database';
import { Outbox1700000000000 } from './migrations/1700000000000-outbox';
import { Requeues1700000000101 } from './migrations/1700000000101-requeues';
import addAttempt from './sql/add-attempt.sql';
import event from './sql/event.sql';
import firstId from './sql/first-id.sql';
import publishAgain from './sql/publish-again.sql';
import rfc3339 from './sql/rfc3339.sql';
import takeDue from './sql/take-due.sql';
import timeOf from './sql/time-of.sql';

export const messagingMigrations: MigrationSet = {
  schema: 'messaging',
  migrations: [Outbox1700000000000, Requeues1700000000101],
  repeatable: [
    { name: 'rfc3339', sql: rfc3339 },
    { name: 'add-attempt', sql: addAttempt },
    { name: 'event', sql: event },
    { name: 'take-due', sql: takeDue },
    { name: 'first-id', sql: firstId },
    { name: 'time-of', sql: timeOf },
    { name: 'publish-again', sql: publishAgain },
  ],
};
