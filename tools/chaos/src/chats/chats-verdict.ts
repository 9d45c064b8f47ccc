import type { Client } from 'pg';
import { differences } from '../differences';
import { allowanceViolations } from './allowance-verdict';
import type { Chats } from './chats';
import { PURSES } from './seed-chats';
import { endOf } from './status-teller';

type Check = (what: string, text: string, values?: unknown[]) => Promise<void>;

/** What is wrong with the chats after a run. */
export async function chatViolations(client: Client, chats: Chats): Promise<string[]> {
  const { chatter, courier, platform, workspaceIds } = chats;
  const found = [...chatter.problems, ...courier.problems];
  const { accepted, distinct } = platform.totals;
  if (accepted !== distinct) found.push(`the platform took ${accepted} chats, but ${distinct} different ones`);
  const check: Check = async (what, text, values = []) => {
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    if (rows.length > 0) found.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  };
  await checkFates(check, chats);
  await checkMoney(check, chats);
  await checkConsents(check, chats);
  return [
    ...found,
    ...(await allowanceViolations(client, workspaceIds)),
    ...(await wrongInbound(client, chats)),
    ...(await wrongEvents(client, chats)),
  ];
}

/** The messages that the platform took, with what it told of each; $1 of the checks. */
function takenBy({ platform, teller }: Chats): string {
  const taken = platform.messages().map(({ id, callbackData }) => {
    const story = teller.stories.get(id) ?? [];
    return { id: callbackData, upstream_id: id, status: endOf(story), may_fail: story.includes('failed') };
  });
  return JSON.stringify(taken);
}

const TAKEN = 'json_to_recordset($1) AS t (id uuid, upstream_id text, status text, may_fail boolean)';

async function checkFates(check: Check, chats: Chats): Promise<void> {
  const taken = takenBy(chats);
  await check(
    'chats without an end',
    `SELECT id, status, upstream_id, created_at FROM chatapp.messages
     WHERE direction = 'outbound' AND (status = 'accepted' OR is_presumed AND upstream_id IS NOT NULL)`,
  );
  await check(
    'taken by the platform and lost, or told otherwise',
    `SELECT t.*, m.upstream_id AS stored, m.status AS stored_status, m.is_presumed FROM ${TAKEN}
     LEFT JOIN chatapp.messages AS m ON m.id = t.id
     WHERE m.id IS NULL OR m.upstream_id IS DISTINCT FROM t.upstream_id OR m.status <> t.status`,
    [taken],
  );
  await check(
    'not taken by the platform and not failed',
    `SELECT id, status, upstream_id FROM chatapp.messages
     WHERE direction = 'outbound' AND id NOT IN (SELECT t.id FROM ${TAKEN})
       AND (status <> 'failed' OR upstream_id IS NOT NULL OR is_charged)`,
    [taken],
  );
  const answered = [...chats.chatter.answered.values()].map(({ id, chatappMessageId: upstream }) => ({ id, upstream }));
  await check(
    'chats acknowledged and lost',
    `SELECT a.*, m.upstream_id FROM json_to_recordset($1) AS a (id uuid, upstream text)
     LEFT JOIN chatapp.messages AS m ON m.id = a.id WHERE m.upstream_id IS DISTINCT FROM a.upstream`,
    [JSON.stringify(answered)],
  );
  await check(
    'one chat for several keys',
    'SELECT a.id, count(*) FROM json_to_recordset($1) AS a (id uuid, upstream text) GROUP BY 1 HAVING count(*) > 1',
    [JSON.stringify(answered)],
  );
  await check('statuses left parked', 'SELECT upstream_id, status, parked_at FROM chatapp.parked_statuses');
}

async function checkMoney(check: Check, chats: Chats): Promise<void> {
  await check(
    'chats paid other than they say',
    `SELECT m.id, m.status, m.is_free, m.is_charged, m.price, l.* FROM (${PAID}) AS l JOIN chatapp.messages AS m USING (id)
     WHERE l.paid <> CASE WHEN m.is_charged THEN m.price ELSE 0 END
       OR l.charges <> CASE WHEN m.price > 0 THEN 1 ELSE 0 END OR l.refunds > 1 OR l.proofs > l.refunds
       OR m.is_free AND (m.price <> 0 OR m.is_charged)`,
  );
  await check(
    'chats charged for that are not there',
    `SELECT reference FROM credits.ledger WHERE reference LIKE 'chatapp:%'
       AND split_part(reference, ':', 2)::uuid NOT IN (SELECT id FROM chatapp.messages WHERE direction = 'outbound')`,
  );
  // What had been refunded and went out all the same stays refunded where nothing but its failure was heard of it at
  // first, and where the credits did not suffice any more.
  await check(
    'taken by the platform and not paid',
    `SELECT m.id, m.status, m.price, l.* FROM ${TAKEN} JOIN chatapp.messages AS m USING (id) JOIN (${PAID}) AS l USING (id)
     WHERE m.price > 0 AND NOT m.is_charged AND (l.refunds = 0 OR NOT t.may_fail AND NOT EXISTS (
       SELECT FROM credits.ledger AS later WHERE later.workspace_id = m.workspace_id
         AND later.credit_type = 'chatapp' AND later.position > l.refunded_at AND later.balance_after < m.price))`,
    [takenBy(chats)],
  );
  await check(
    'balances other than what was not spent',
    `SELECT w.*, a.balance, s.spent
     FROM unnest($1::uuid[], $2::bigint[]) AS w (workspace_id, credits)
     JOIN credits.accounts AS a ON a.workspace_id = w.workspace_id AND a.credit_type = 'chatapp'
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(m.price), 0) AS spent FROM chatapp.messages AS m
       WHERE m.workspace_id = w.workspace_id AND m.direction = 'outbound' AND m.is_charged) AS s
     WHERE a.balance <> w.credits - s.spent OR a.balance < 0`,
    [chats.workspaceIds, PURSES.map(({ credits }) => credits)],
  );
}

/** Of each message that was sent: what its entries come to. */
const PAID = `
  SELECT m.id, coalesce(-sum(l.amount), 0) AS paid,
    count(*) FILTER (WHERE l.kind = 'charge' AND l.reference NOT LIKE '%:proven') AS charges,
    count(*) FILTER (WHERE l.kind = 'charge' AND l.reference LIKE '%:proven') AS proofs,
    count(*) FILTER (WHERE l.kind = 'refund') AS refunds,
    max(l.position) FILTER (WHERE l.kind = 'refund') AS refunded_at
  FROM chatapp.messages AS m
  LEFT JOIN (SELECT *, split_part(reference, ':', 2)::uuid AS message_id FROM credits.ledger
             WHERE reference LIKE 'chatapp:%') AS l ON l.message_id = m.id
  WHERE m.direction = 'outbound' GROUP BY m.id`;

async function checkConsents(check: Check, { people }: Chats): Promise<void> {
  const optOuts = people.all.flatMap(({ number, optOuts: times }) => times.map((time) => ({ number, ...time })));
  await check(
    'written to after a STOP',
    `SELECT m.id, m.recipient, m.created_at, m.status FROM json_to_recordset($1) AS o (number text, "from" bigint, "to" bigint)
     JOIN chatapp.messages AS m ON m.recipient = o.number AND m.direction = 'outbound'
     WHERE extract(epoch FROM m.created_at) * 1000 > o."from" AND extract(epoch FROM m.created_at) * 1000 < o."to"`,
    [JSON.stringify(optOuts)],
  );
  const last = people.all.flatMap(({ number, consent }) => (consent === null ? [] : [{ number, consent }]));
  await check(
    'consents other than the last keyword',
    `SELECT p.*, c.status, c.keyword_at FROM json_to_recordset($1) AS p (number text, consent text)
     LEFT JOIN chatapp.consents AS c ON c.number = p.number WHERE c.status IS DISTINCT FROM p.consent`,
    [JSON.stringify(last)],
  );
}

/** All that was acknowledged, each once, and none that belongs to nobody although somebody wrote to its sender. */
async function wrongInbound(client: Client, { people, workspaceIds }: Chats): Promise<string[]> {
  const { rows } = await client.query<{ upstream_id: string; sender: string; workspace_id: string | null }>(
    `SELECT upstream_id, sender, workspace_id FROM chatapp.messages WHERE direction = 'inbound'`,
  );
  const owners = new Map(people.all.map(({ number, organization }) => [number, workspaceIds[organization]]));
  const reached = new Set(people.all.filter(({ isReached }) => isReached).map(({ number }) => number));
  const foreign = rows.filter(
    ({ sender, workspace_id: id }) => id !== owners.get(sender) && (id !== null || reached.has(sender)),
  );
  return [
    ...differences(
      'inbound messages acknowledged and stored',
      people.written,
      rows.map(({ upstream_id: id }) => id),
    ),
    ...foreign
      .slice(0, 3)
      .map(({ upstream_id: id, sender }) => `the message ${id} of ${sender} is not its addressee's`),
  ];
}

/** Each thing that happened was told by one event, however often that came. Failures may happen twice. */
async function wrongEvents(client: Client, { ear }: Chats): Promise<string[]> {
  const found: string[] = [];
  const told = {
    'chatapp.inbound.received': `direction = 'inbound'`,
    'chatapp.sent': `direction = 'outbound' AND sent_at IS NOT NULL`,
    'chatapp.delivered': `direction = 'outbound' AND delivered_at IS NOT NULL`,
    'chatapp.read': `direction = 'outbound' AND read_at IS NOT NULL`,
  };
  for (const [type, condition] of Object.entries(told)) {
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM chatapp.messages WHERE ${condition}`);
    found.push(
      ...differences(
        `what is stored and ${type}`,
        rows.map(({ id }) => id),
        ear.told(type),
      ),
    );
  }
  return found;
}
