import type { InvariantChecker } from '../invariant-checker';
import { checkAllowances } from './allowance-invariants';
import type { ChatappWorkload } from './chatapp-workload';
import { INITIAL_BALANCES } from './seed-chatapp';
import { finalStatus } from './status-workload';

/** Every chat has a final status, is charged if the provider accepted it, was sent with consent, and has one event per change. */
export async function checkChats(checker: InvariantChecker, chats: ChatappWorkload): Promise<void> {
  checker.add([...chats.sends.problems, ...chats.webhooks.problems]);
  const { accepted, distinct } = chats.provider.totals;
  if (accepted !== distinct) checker.add([`the provider accepted ${accepted} chats, but ${distinct} different ones`]);
  await checkStatuses(checker, chats);
  await checkMoney(checker, chats);
  await checkConsents(checker, chats);
  await checkAllowances(checker, chats.workspaceIds);
  await checkInbound(checker, chats);
  await checkEvents(checker, chats);
}

/** The messages that the provider accepted, with the final status of each: parameter $1 of the queries below. */
function acceptedMessages({ provider, statuses }: ChatappWorkload): string {
  const accepted = provider.messages().map(({ id, callbackData }) => {
    const sequence = statuses.sequences.get(id) ?? [];
    return { id: callbackData, upstream_id: id, status: finalStatus(sequence), may_fail: sequence.includes('failed') };
  });
  return JSON.stringify(accepted);
}

const ACCEPTED = 'json_to_recordset($1) AS t (id uuid, upstream_id text, status text, may_fail boolean)';

async function checkStatuses(checker: InvariantChecker, chats: ChatappWorkload): Promise<void> {
  const accepted = acceptedMessages(chats);
  await checker.noRows(
    'chats without a final status',
    `SELECT id, status, upstream_id, created_at FROM chatapp.messages
     WHERE direction = 'outbound' AND (status = 'accepted' OR is_presumed AND upstream_id IS NOT NULL)`,
  );
  await checker.noRows(
    'chats accepted by the provider that are lost or have another status',
    `SELECT t.*, m.upstream_id AS stored, m.status AS stored_status, m.is_presumed FROM ${ACCEPTED}
     LEFT JOIN chatapp.messages AS m ON m.id = t.id
     WHERE m.id IS NULL OR m.upstream_id IS DISTINCT FROM t.upstream_id OR m.status <> t.status`,
    [accepted],
  );
  await checker.noRows(
    'chats not accepted by the provider that have not failed',
    `SELECT id, status, upstream_id FROM chatapp.messages
     WHERE direction = 'outbound' AND id NOT IN (SELECT t.id FROM ${ACCEPTED})
       AND (status <> 'failed' OR upstream_id IS NOT NULL OR is_charged)`,
    [accepted],
  );
  const answered = [...chats.sends.answered.values()].map(({ id, chatappMessageId: upstream }) => ({ id, upstream }));
  await checker.noRows(
    'chats acknowledged and lost',
    `SELECT a.*, m.upstream_id FROM json_to_recordset($1) AS a (id uuid, upstream text)
     LEFT JOIN chatapp.messages AS m ON m.id = a.id WHERE m.upstream_id IS DISTINCT FROM a.upstream`,
    [JSON.stringify(answered)],
  );
  await checker.noRows(
    'chats stored for several keys',
    'SELECT a.id, count(*) FROM json_to_recordset($1) AS a (id uuid, upstream text) GROUP BY 1 HAVING count(*) > 1',
    [JSON.stringify(answered)],
  );
  await checker.noRows('unmatched statuses', 'SELECT upstream_id, status, received_at FROM chatapp.unmatched_statuses');
}

async function checkMoney(checker: InvariantChecker, chats: ChatappWorkload): Promise<void> {
  await checker.noRows(
    'chats whose ledger entries differ from their price',
    `SELECT m.id, m.status, m.is_free, m.is_charged, m.price, l.* FROM (${PAID}) AS l JOIN chatapp.messages AS m USING (id)
     WHERE l.paid <> CASE WHEN m.is_charged THEN m.price ELSE 0 END
       OR l.charges <> CASE WHEN m.price > 0 THEN 1 ELSE 0 END OR l.refunds > 1 OR l.proofs > l.refunds
       OR m.is_free AND (m.price <> 0 OR m.is_charged)`,
  );
  await checker.noRows(
    'chat charges without a message',
    `SELECT reference FROM credits.ledger WHERE reference LIKE 'chatapp:%'
       AND split_part(reference, ':', 2)::uuid NOT IN (SELECT id FROM chatapp.messages WHERE direction = 'outbound')`,
  );
  // A refunded chat that was sent after all stays refunded if a failure was reported for it, or if the credits no longer
  // sufficed.
  await checker.noRows(
    'chats accepted by the provider and not paid',
    `SELECT m.id, m.status, m.price, l.* FROM ${ACCEPTED} JOIN chatapp.messages AS m USING (id) JOIN (${PAID}) AS l USING (id)
     WHERE m.price > 0 AND NOT m.is_charged AND (l.refunds = 0 OR NOT t.may_fail AND NOT EXISTS (
       SELECT FROM credits.ledger AS later WHERE later.workspace_id = m.workspace_id
         AND later.credit_type = 'chatapp' AND later.position > l.refunded_at AND later.balance_after < m.price))`,
    [acceptedMessages(chats)],
  );
  await checker.noRows(
    'balances that differ from the grant minus the charged chats',
    `SELECT w.*, a.balance, s.spent
     FROM unnest($1::uuid[], $2::bigint[]) AS w (workspace_id, credits)
     JOIN credits.accounts AS a ON a.workspace_id = w.workspace_id AND a.credit_type = 'chatapp'
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(m.price), 0) AS spent FROM chatapp.messages AS m
       WHERE m.workspace_id = w.workspace_id AND m.direction = 'outbound' AND m.is_charged) AS s
     WHERE a.balance <> w.credits - s.spent OR a.balance < 0`,
    [chats.workspaceIds, INITIAL_BALANCES.map(({ credits }) => credits)],
  );
}

/** The sums of the ledger entries of each outbound message. */
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

async function checkConsents(checker: InvariantChecker, { recipients }: ChatappWorkload): Promise<void> {
  const optOuts = recipients.recipients.flatMap(({ number, optOuts: times }) =>
    times.map((time) => ({ number, ...time })),
  );
  await checker.noRows(
    'chats sent to a recipient who had opted out',
    `SELECT m.id, m.recipient, m.created_at, m.status FROM json_to_recordset($1) AS o (number text, "from" bigint, "to" bigint)
     JOIN chatapp.messages AS m ON m.recipient = o.number AND m.direction = 'outbound'
     WHERE extract(epoch FROM m.created_at) * 1000 > o."from" AND extract(epoch FROM m.created_at) * 1000 < o."to"`,
    [JSON.stringify(optOuts)],
  );
  const last = recipients.recipients.flatMap(({ number, consent }) => (consent === null ? [] : [{ number, consent }]));
  await checker.noRows(
    'consents that differ from the last keyword',
    `SELECT p.*, c.status, c.keyword_at FROM json_to_recordset($1) AS p (number text, consent text)
     LEFT JOIN chatapp.consents AS c ON c.number = p.number WHERE c.status IS DISTINCT FROM p.consent`,
    [JSON.stringify(last)],
  );
}

/** Every acknowledged inbound message is stored once, and assigned to the organization that wrote to its sender. */
async function checkInbound(checker: InvariantChecker, { recipients, workspaceIds }: ChatappWorkload): Promise<void> {
  const { rows } = await checker.database.query<{ upstream_id: string; sender: string; workspace_id: string | null }>(
    `SELECT upstream_id, sender, workspace_id FROM chatapp.messages WHERE direction = 'inbound'`,
  );
  const senders = new Map(recipients.recipients.map((recipient) => [recipient.number, recipient]));
  const isWrong = ({ sender, workspace_id: workspaceId }: (typeof rows)[number]): boolean => {
    const known = senders.get(sender);
    const owner = known && workspaceIds[known.organization];
    return workspaceId !== owner && (workspaceId !== null || known?.hasReceived === true);
  };
  checker.sameEntries(
    'inbound messages acknowledged and stored',
    recipients.written,
    rows.map(({ upstream_id: id }) => id),
  );
  checker.add(
    rows
      .filter(isWrong)
      .map(({ upstream_id: id, sender }) => `message ${id} of ${sender} belongs to the wrong organization`),
    3,
  );
}

/** Every change of a message is announced by exactly one event; failures may be announced twice. */
async function checkEvents(checker: InvariantChecker, { events }: ChatappWorkload): Promise<void> {
  const conditions = {
    'chatapp.inbound.received': `direction = 'inbound'`,
    'chatapp.sent': `direction = 'outbound' AND sent_at IS NOT NULL`,
    'chatapp.delivered': `direction = 'outbound' AND delivered_at IS NOT NULL`,
    'chatapp.read': `direction = 'outbound' AND read_at IS NOT NULL`,
  };
  for (const [type, condition] of Object.entries(conditions)) {
    checker.sameEntries(
      `stored changes and ${type} events`,
      await checker.column(`SELECT id FROM chatapp.messages WHERE ${condition}`),
      events.entries(type, 'messageId'),
    );
  }
}
