import { composeBody } from '@heliograph/webhooks';
import { newId } from '@heliograph/database';
import { Client } from 'pg';
import type { NeighboursCase } from '../neighbours-case';
import { startCalls, together, type Noise } from '../noise';
import { contactCreation, contactList, emailList, emailSend, login, smsSend } from '../operations-of-b';
import { CALLS_PER_MINUTE, type Stack } from '../stack';

/** The calls of one key that the rate limit allows. */
const PER_SECOND = CALLS_PER_MINUTE / 60;
const CONNECTIONS = 150;
const LARGE_EVENTS = 200;
const LARGE_EVENT_BYTES = 60_000;
const WRONG_LOGINS_PER_SECOND = 1_000;

const emailBulks = (stack: Stack): Promise<Noise> =>
  startCalls(stack, {
    service: 'email-api',
    kind: 'emailBulks',
    path: '/api/v1/email/bulk',
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
  });

const smsNoise = (stack: Stack): Promise<Noise> =>
  startCalls(stack, { service: 'sms-api', kind: 'smsNoise', connections: CONNECTIONS, perSecond: PER_SECOND });

const accountNoise = (stack: Stack): Promise<Noise> =>
  startCalls(stack, { service: 'account-api', kind: 'accountNoise', connections: CONNECTIONS, perSecond: PER_SECOND });

export const ADMISSION_CASES: readonly NeighboursCase[] = [
  {
    row: 1,
    noise: `email/bulk of one recipient, ${CONNECTIONS} connections`,
    unit: 'calls',
    services: ['email-api', 'email-worker'],
    start: emailBulks,
    operations: (stack) => [emailSend(stack), emailList(stack)],
  },
  {
    row: 2,
    noise: `sms/bulk, quotes, transfers, contacts, analytics, large events, reports, 2 x ${CONNECTIONS} connections`,
    unit: 'calls',
    services: ['sms-api', 'sms-worker', 'account-api', 'account-worker'],
    prepare: storeLargeEvents,
    start: async (stack) => together(await smsNoise(stack), await accountNoise(stack)),
    operations: (stack) => [smsSend(stack), contactCreation(stack), contactList(stack)],
  },
  {
    row: 3,
    noise: "A's credit accounts locked from outside, email/bulk and sms/bulk",
    unit: 'calls',
    services: ['sms-api', 'sms-worker', 'email-api', 'email-worker'],
    blocksA: true,
    start: async (stack) => {
      const lock = await lockCredits(stack);
      return together(await emailBulks(stack), await smsNoise(stack), lock);
    },
    operations: (stack) => [smsSend(stack), emailSend(stack)],
  },
  {
    row: 9,
    noise: `wrong logins and registrations from many addresses, ${CONNECTIONS} connections`,
    unit: 'calls',
    services: ['account-api', 'account-worker'],
    start: (stack) =>
      startCalls(stack, {
        service: 'account-api',
        kind: 'wrongLogins',
        connections: CONNECTIONS,
        perSecond: WRONG_LOGINS_PER_SECOND,
        successes: ['20', '401'],
      }),
    operations: (stack) => [login(stack)],
  },
];

/** Fills the event log of A with events that are as large as an event may be. */
async function storeLargeEvents(stack: Stack): Promise<void> {
  const { organizationId } = stack.neighbours.a;
  const time = new Date();
  const items = Array.from({ length: LARGE_EVENTS }, () => {
    const event = {
      id: newId(),
      type: 'contact.created',
      time,
      organizationId,
      workspaceId: null,
      data: { contact: { attributes: { note: 'x'.repeat(LARGE_EVENT_BYTES) } } },
    };
    return {
      id: event.id,
      organizationId,
      workspaceId: null,
      type: event.type,
      body: composeBody(event as never),
    };
  });
  await stack.pool.query('SELECT webhooks.append($1, $2)', [JSON.stringify(items), time]);
}

/** Locks the credit accounts of A in a transaction that stays open, as a stuck operator would. */
async function lockCredits(stack: Stack): Promise<Noise> {
  const { workspaceId, siblingId } = stack.neighbours.a;
  const client = new Client({ connectionString: stack.database.url });
  // The database may be dropped before the connection is closed.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM credits.accounts WHERE workspace_id = ANY ($1) FOR UPDATE', [
    [workspaceId, siblingId],
  ]);
  return { done: () => Promise.resolve(0), stop: () => client.end() };
}
