import type { MigrationSet } from '@heliograph/database';
import { Outbox1700000000000 } from './migrations/1700000000000-outbox';
import { Requeues1700000000101 } from './migrations/1700000000101-requeues';
import { JobLanes1700000000102 } from './migrations/1700000000102-job-lanes';
import { StoredEvents1700000000203 } from './migrations/1700000000203-stored-events';
import { EmailJobs1700000000303 } from './migrations/1700000000303-email-jobs';
import { EventTurns1700000000403 } from './migrations/1700000000403-event-turns';
import { SingleJobs1700000000503 } from './migrations/1700000000503-single-jobs';
import { Traces1700000000603 } from './migrations/1700000000603-traces';
import { RequestTraces1700000000703 } from './migrations/1700000000703-request-traces';
import advanceClock from './sql/advance-clock.sql';
import addAttempt from './sql/add-attempt.sql';
import event from './sql/event.sql';
import firstId from './sql/first-id.sql';
import jobKind from './sql/job-kind.sql';
import jobLane from './sql/job-lane.sql';
import jobQueue from './sql/job-queue.sql';
import publishAgain from './sql/publish-again.sql';
import rfc3339 from './sql/rfc3339.sql';
import takeDue from './sql/take-due.sql';
import takeEvents from './sql/take-events.sql';
import takeInTurns from './sql/take-in-turns.sql';
import takeJobs from './sql/take-jobs.sql';
import takeStored from './sql/take-stored.sql';
import timeOf from './sql/time-of.sql';

export const messagingMigrations: MigrationSet = {
  schema: 'messaging',
  migrations: [
    Outbox1700000000000,
    Requeues1700000000101,
    JobLanes1700000000102,
    StoredEvents1700000000203,
    EmailJobs1700000000303,
    EventTurns1700000000403,
    SingleJobs1700000000503,
    Traces1700000000603,
    RequestTraces1700000000703,
  ],
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'rfc3339', sql: rfc3339 },
    { name: 'add-attempt', sql: addAttempt },
    { name: 'event', sql: event },
    { name: 'take-due', sql: takeDue },
    { name: 'take-events', sql: takeEvents },
    { name: 'take-in-turns', sql: takeInTurns },
    { name: 'take-jobs', sql: takeJobs },
    { name: 'job-kind', sql: jobKind },
    { name: 'job-lane', sql: jobLane },
    { name: 'job-queue', sql: jobQueue },
    { name: 'take-stored', sql: takeStored },
    { name: 'first-id', sql: firstId },
    { name: 'time-of', sql: timeOf },
    { name: 'publish-again', sql: publishAgain },
  ],
};
