import { newId } from '@heliograph/database';
import { exampleDataOf, generateSecret } from '@heliograph/webhooks';
import { appendEvents, insertEndpoint, type BenchEndpoint } from '../../webhooks/seed-webhooks';
import type { NeighboursCase } from '../neighbours-case';
import { countWork } from '../noise';
import { eventInFeed, webhookDelivery } from '../operations-of-b';
import type { Stack } from '../stack';

const EVENTS = 160_000;
/** Each of them is due at two endpoints. */
const DELIVERED_EVENTS = 5_000;

export const EVENT_CASES: readonly NeighboursCase[] = [
  {
    row: 8,
    noise: `${EVENTS} events for the event log`,
    unit: 'events',
    services: ['account-api', 'account-worker'],
    start: async (stack) => {
      await publishEvents(stack);
      return countWork(stack, 'SELECT count(*) FROM webhooks.events WHERE organization_id = $1');
    },
    operations: (stack) => [eventInFeed(stack)],
  },
  {
    row: 10,
    noise: `an endpoint that hangs and one that answers after 2 s, ${2 * DELIVERED_EVENTS} deliveries due`,
    unit: 'deliveries',
    services: ['account-api', 'account-worker', 'webhooks'],
    prepare: async (stack) => {
      await addEndpoint(stack, stack.neighbours.b.organizationId, '/quiet', 'contact.created');
    },
    start: async (stack) => {
      const { organizationId } = stack.neighbours.a;
      await addEndpoint(stack, organizationId, '/hang');
      const slow = await addEndpoint(stack, organizationId, '/slow');
      await appendEvents(stack.pool, [slow], DELIVERED_EVENTS);
      return countWork(
        stack,
        `SELECT count(*) FROM webhooks.deliveries WHERE organization_id = $1 AND status = 'delivered'`,
      );
    },
    operations: (stack) => [webhookDelivery(stack)],
  },
];

/** Stores events of A in the outbox, as a campaign does. */
async function publishEvents({ pool, neighbours }: Stack): Promise<void> {
  const { organizationId, workspaceId } = neighbours.a;
  await pool.query(
    `INSERT INTO messaging.outbox (id, type, payload)
     SELECT e.id, 'contact.created', messaging.event(
       e.id, 'contact.created', messaging.rfc3339(now()), $1, $2, NULL,
       json_build_object('contactId', gen_random_uuid(), 'contact', $3::json))
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $4)) AS e`,
    [organizationId, workspaceId, JSON.stringify(exampleDataOf('contact.created')), EVENTS],
  );
}

async function addEndpoint(stack: Stack, organizationId: string, path: string, type?: string): Promise<BenchEndpoint> {
  const endpoint: BenchEndpoint = { id: newId(), organizationId, secret: generateSecret(), path };
  await insertEndpoint(stack.pool, endpoint, stack.receiverUrl, true, type);
  return endpoint;
}
