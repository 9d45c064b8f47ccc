import { chatappCatalogMigrations } from '@heliograph/chatapp-catalog';
import type { MigrationSet } from '@heliograph/database';
import advanceClock from './sql/advance-clock.sql';
import accept from './sql/accept.sql';
import conversationsOf from './sql/conversations-of.sql';
import fail from './sql/fail.sql';
import matchUnmatched from './sql/match-unmatched.sql';
import prove from './sql/prove.sql';
import reached from './sql/reached.sql';
import recordAnswers from './sql/record-answers.sql';
import recordInbound from './sql/record-inbound.sql';
import recordStatuses from './sql/record-statuses.sql';
import settleOverdue from './sql/settle-overdue.sql';
import types from './sql/types.sql';

/** The tables of the catalog library and the functions of this library. */
export const chatappMigrations: MigrationSet = {
  ...chatappCatalogMigrations,
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'types', sql: types },
    { name: 'conversations-of', sql: conversationsOf },
    { name: 'accept', sql: accept },
    { name: 'reached', sql: reached },
    { name: 'prove', sql: prove },
    { name: 'record-statuses', sql: recordStatuses },
    { name: 'match-unmatched', sql: matchUnmatched },
    { name: 'fail', sql: fail },
    { name: 'record-answers', sql: recordAnswers },
    { name: 'settle-overdue', sql: settleOverdue },
    { name: 'record-inbound', sql: recordInbound },
  ],
};
