import { WRITE, type TableAccess } from '@heliograph/database';

/** The tables of every service that publishes and consumes. */
export const MESSAGING_ACCESS: TableAccess = {
  'messaging.dead_letters': WRITE,
  'messaging.job_queues': WRITE,
  'messaging.local_deliveries': WRITE,
  'messaging.outbox': WRITE,
  'messaging.stored_events': WRITE,
  'messaging.request_traces': WRITE,
  // For processes of version 1.0.0 during the upgrade.
  'messaging.traces': WRITE,
};

/** The tables of a service that also feeds jobs to the broker and publishes lost ones again. */
export const JOB_ACCESS: TableAccess = {
  ...MESSAGING_ACCESS,
  'messaging.requeues': WRITE,
  'messaging.sweeps': WRITE,
};
