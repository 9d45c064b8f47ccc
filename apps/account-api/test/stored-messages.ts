import { newId } from '@heliograph/database';
import type { AccountFixture } from './account-fixture';

/** Stores a purchase of credits. Returns its id. */
export async function storePurchase(
  { database }: AccountFixture,
  organizationId: string,
  workspaceId: string,
): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO billing.purchases (id, organization_id, workspace_id, status, package, quantity, credit_type, credits, amount,
       currency, expires_at) VALUES ($1, $2, $3, 'pending', 'sms-1', 1, 'sms', 1, 1, 'INR', now())`,
    [id, organizationId, workspaceId],
  );
  return id;
}

/** Stores a delivered message as sms-api does, with its charge. Returns its id. */
export async function storeSms(
  { database }: AccountFixture,
  organizationId: string,
  workspaceId: string,
): Promise<string> {
  const id = newId();
  await makePartitions(database, ['sms.messages', 'sms.parts']);
  await database.query(
    `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, sent_at, finished_at, credits_cost,
       segments, submits, flash, status, encoding, country, header, recipient, body, carrier, correlation_id, client_address,
       key_id, claimed_at, upstream_ids, attempts)
     VALUES ($1, $2, $3, $3, now(), now() + interval '1 second', now() + interval '2 seconds', 1, 1, 2, false, 'delivered',
       'gsm-7', 'IN', 'DEMOIN', '+919811111111', 'x', 'carrier-a', 'request-1', '203.0.113.7',
       (SELECT k.id FROM auth.api_keys AS k WHERE k.organization_id = $2 LIMIT 1), now() + interval '0.1 seconds',
       '{1a2b}',
       messaging.add_attempt(NULL, json_build_object('at', messaging.rfc3339(now() + interval '0.5 seconds'),
         'upstream', 'carrier-a', 'outcome', 'unresolved', 'error', 'no response')))`,
    [id, organizationId, workspaceId],
  );
  await post(database, workspaceId, 'sms', -1, `sms:${id}`);
  return id;
}

/** Stores an email with two recipients, of which one bounced and one opened it. Returns its id. */
export async function storeEmail(
  { database }: AccountFixture,
  organizationId: string,
  workspaceId: string,
): Promise<string> {
  const id = newId();
  await makePartitions(database, ['email.messages', 'email.recipients', 'email.events']);
  await database.query(
    `INSERT INTO email.messages (id, organization_id, workspace_id, created_at, track_opens, track_clicks, status,
       from_address, subject) VALUES ($1, $2, $3, now(), true, true, 'sent', 'hello@demo.example', 'Hi')`,
    [id, organizationId, workspaceId],
  );
  await database.query(
    `INSERT INTO email.recipients (message_id, position, attempts, first_tried_at, sent_at, state, outcome, address, history)
     VALUES ($1, 0, 1, now() + interval '1 second', now() + interval '1 second', 'sent', 'delivered', 'ann@example.com', NULL),
            ($1, 1, 1, now() + interval '1 second', NULL, 'failed', NULL, 'bob@example.com',
             messaging.add_attempt(NULL, json_build_object('at', messaging.rfc3339(now() + interval '1 second'),
               'outcome', 'refused', 'error', '550 5.1.1 no such user')))`,
    [id],
  );
  await database.query(
    `INSERT INTO email.events (message_id, id, position, occurred_at, type)
     VALUES ($1, gen_random_uuid(), 0, now() + interval '2 seconds', 'delivered'),
            ($1, gen_random_uuid(), 0, now() + interval '3 seconds', 'opened')`,
    [id],
  );
  await post(database, workspaceId, 'email', -2, `email:${id}`);
  await post(database, workspaceId, 'email', 1, `email:${id}:1`);
  return id;
}

/** Stores a chat-app message that was read. Returns its id. */
export async function storeChatapp(
  { database }: AccountFixture,
  organizationId: string,
  workspaceId: string,
): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO chatapp.messages (id, organization_id, workspace_id, sent_at, delivered_at, read_at, direction, status, type,
       recipient, sender, upstream_id, category, currency, price, is_charged)
     VALUES ($1, $2, $3, now() + interval '1 second', now() + interval '2 seconds', now() + interval '3 seconds', 'outbound',
       'read', 'text', '+919811111111', '+15550100001', $4, 'service', 'INR', 40, true)`,
    [id, organizationId, workspaceId, `camid.${id}`],
  );
  await post(database, workspaceId, 'chatapp', -40, `chatapp:${id}`);
  return id;
}

/** The services of the channels create the partitions of their tables when they start. */
export async function makePartitions(database: AccountFixture['database'], tables: string[]): Promise<void> {
  for (const table of tables) {
    await database.query(`CREATE TABLE IF NOT EXISTS ${table}_of_tests PARTITION OF ${table} DEFAULT`);
  }
}

async function post(
  database: AccountFixture['database'],
  workspaceId: string,
  creditType: string,
  amount: number,
  reference: string,
): Promise<void> {
  await database.query(
    `INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, 100, $5)`,
    [workspaceId, creditType, amount < 0 ? 'charge' : 'refund', amount, reference],
  );
}
