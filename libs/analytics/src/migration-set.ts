import type { MigrationSet } from '@heliograph/database';
import { Counted1700000000000 } from './migrations/1700000000000-counted';
import { Rollups1700000000001 } from './migrations/1700000000001-rollups';
import { Reports1700000000002 } from './migrations/1700000000002-reports';
import { ReportErrorCodes1700000000202 } from './migrations/1700000000202-report-error-codes';
import { ReportsByOrganization1700000000333 } from './migrations/1700000000333-reports-by-organization';
import { rollupFunctions } from './rollup-functions';
import { SOURCES } from './sources';
import advanceClock from './sql/advance-clock.sql';
import currentBots from './sql/current-bots.sql';
import currentChatapp from './sql/current-chatapp.sql';
import currentCredits from './sql/current-credits.sql';
import currentEmail from './sql/current-email.sql';
import currentSms from './sql/current-sms.sql';
import startOf from './sql/start-of.sql';

/** Requires the schemas of the channels, of the ledger and of the workspaces, because it counts what they store. */
export const analyticsMigrations: MigrationSet = {
  schema: 'analytics',
  migrations: [
    Counted1700000000000,
    Rollups1700000000001,
    Reports1700000000002,
    ReportErrorCodes1700000000202,
    ReportsByOrganization1700000000333,
  ],
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'start-of', sql: startOf },
    { name: 'current-sms', sql: currentSms },
    { name: 'current-email', sql: currentEmail },
    { name: 'current-chatapp', sql: currentChatapp },
    { name: 'current-bots', sql: currentBots },
    { name: 'current-credits', sql: currentCredits },
    ...SOURCES.flatMap(rollupFunctions),
  ],
};
