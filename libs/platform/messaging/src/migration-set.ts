import type { MigrationSet } from '@heliograph/database';
import { Outbox1700000000000 } from './migrations/1700000000000-outbox';
import addAttempt from './sql/add-attempt.sql';
import event from './sql/event.sql';
import rfc3339 from './sql/rfc3339.sql';
import takeDue from './sql/take-due.sql';

export const messagingMigrations: MigrationSet = {
  schema: 'messaging',
  migrations: [Outbox1700000000000],
  repeatable: [
    { name: 'rfc3339', sql: rfc3339 },
    { name: 'add-attempt', sql: addAttempt },
    { name: 'event', sql: event },
    { name: 'take-due', sql: takeDue },
  ],
};
