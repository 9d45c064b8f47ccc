import type { InvariantChecker } from '../invariant-checker';
import type { AcceptedCampaign, CampaignWorkload, Channel } from './campaign-workload';

/** The recipients of campaign messages: one row per message, with its state as counted by the campaign. */
const RECIPIENTS: Readonly<Record<Channel, string>> = {
  sms: `
    SELECT m.campaign_id, m.recipient, 'sms:' || m.id AS reference,
      m.status IN ('sent', 'delivered') OR m.sent_at IS NOT NULL AS sent,
      m.status = 'delivered' AS delivered, m.status = 'failed' AS failed, m.status = 'canceled' AS canceled
    FROM sms.messages AS m WHERE m.campaign_id IS NOT NULL`,
  email: `
    SELECT r.campaign_id, r.address AS recipient, 'email:' || r.message_id AS reference,
      r.state = 'sent' AS sent, r.outcome = 'delivered' AS delivered, r.state = 'failed' AS failed,
      r.state = 'canceled' AS canceled
    FROM email.recipients AS r WHERE r.campaign_id IS NOT NULL`,
};

/** Every contact is imported once and gets one message per campaign; counts and credits agree with the messages. */
export async function checkCampaigns(checker: InvariantChecker, workload: CampaignWorkload): Promise<void> {
  checker.add(workload.problems);
  await checkImports(checker, workload);
  checker.sameEntries(
    'acknowledged campaigns and audit entries',
    workload.campaigns.map(({ id }) => id),
    await checker.column(`SELECT target_id FROM audit.entries WHERE action LIKE '%.campaign.created'`),
  );
  for (const channel of ['sms', 'email'] as const) {
    await checkChannel(
      checker,
      channel,
      workload.campaigns.filter((campaign) => campaign.channel === channel),
    );
  }
}

async function checkImports(checker: InvariantChecker, { groups, imports }: CampaignWorkload): Promise<void> {
  checker.sameEntries(
    'acknowledged groups and audit entries',
    groups,
    await checker.column(`SELECT target_id FROM audit.entries WHERE action = 'contact.group.created'`),
  );
  await checker.noRows(
    'imports with wrong counts',
    `SELECT e.rows, i.* FROM json_to_recordset($1) AS e (id uuid, rows integer, invalid integer)
     LEFT JOIN contacts.imports AS i USING (id)
     WHERE (i.status, i.total, i.created, i.updated, i.skipped, i.invalid)
       IS DISTINCT FROM ('completed', e.rows, e.rows - e.invalid, 0, 0, e.invalid)`,
    [JSON.stringify(imports)],
  );
  await checker.noRows(
    'groups without exactly the imported contacts',
    `SELECT e.group_id, e.contacts, count(m.contact_id) FROM (
       SELECT group_id, sum(rows - invalid) AS contacts
       FROM json_to_recordset($1) AS i (group_id uuid, rows integer, invalid integer) GROUP BY 1) AS e
     LEFT JOIN contacts.memberships AS m USING (group_id)
     GROUP BY 1, 2 HAVING count(m.contact_id) <> e.contacts`,
    [JSON.stringify(imports.map(({ groupId, rows, invalid }) => ({ group_id: groupId, rows, invalid })))],
  );
}

async function checkChannel(
  checker: InvariantChecker,
  channel: Channel,
  campaigns: readonly AcceptedCampaign[],
): Promise<void> {
  const completed = campaigns.filter(({ canceled }) => !canceled);
  const expected = JSON.stringify(completed.map(({ optedOut, ...rest }) => ({ ...rest, opted_out: optedOut })));
  await checker.noRows(
    `${channel} campaigns whose cancellation is not finished`,
    `SELECT c.* FROM campaigns.campaigns AS c
     WHERE c.id = ANY ($1::uuid[]) AND (c.status <> 'canceled' OR c.finished_at IS NULL OR c.swept_to IS NOT NULL)`,
    [campaigns.filter(({ canceled }) => canceled).map(({ id }) => id)],
  );
  await checker.noRows(
    `${channel} campaigns with wrong counts`,
    `SELECT e.audience, e.opted_out, c.* FROM json_to_recordset($1) AS e (id uuid, audience integer, opted_out integer)
     LEFT JOIN campaigns.campaigns AS c USING (id)
     WHERE c.status IS DISTINCT FROM 'completed' OR c.audience_size <> e.audience
       OR c.queued <> e.audience - e.opted_out OR c.skipped <> jsonb_build_object('opted_out', e.opted_out)`,
    [expected],
  );
  await checker.noRows(
    `${channel} campaigns that wrote to a contact twice or not at all`,
    `SELECT e.id, e.audience, e.opted_out, count(r.recipient), count(DISTINCT r.recipient)
     FROM json_to_recordset($1) AS e (id uuid, audience integer, opted_out integer)
     LEFT JOIN (${RECIPIENTS[channel]}) AS r ON r.campaign_id = e.id
     GROUP BY 1, 2, 3
     HAVING count(r.recipient) <> e.audience - e.opted_out OR count(DISTINCT r.recipient) <> count(r.recipient)`,
    [expected],
  );
  await checker.noRows(
    `${channel} campaigns whose counts differ from their messages`,
    `SELECT c.id, c.queued, c.sent, c.delivered, c.failed, c.canceled, r.* FROM campaigns.campaigns AS c JOIN (
       SELECT campaign_id, count(*) AS messages, count(*) FILTER (WHERE sent) AS messages_sent,
         count(*) FILTER (WHERE delivered) AS messages_delivered, count(*) FILTER (WHERE failed) AS messages_failed,
         count(*) FILTER (WHERE canceled) AS messages_canceled
       FROM (${RECIPIENTS[channel]}) AS r GROUP BY 1) AS r ON r.campaign_id = c.id
     WHERE (c.queued, c.sent, c.delivered, c.failed, c.canceled)
       IS DISTINCT FROM (r.messages, r.messages_sent, r.messages_delivered, r.messages_failed, r.messages_canceled)`,
  );
  await checker.noRows(
    `${channel} campaigns whose credits differ from the ledger`,
    `SELECT c.id, c.credits_spent, l.spent FROM campaigns.campaigns AS c JOIN (
       SELECT r.campaign_id, -sum(l.amount) AS spent
       FROM (SELECT DISTINCT campaign_id, reference FROM (${RECIPIENTS[channel]}) AS r) AS r
       JOIN credits.ledger AS l ON l.reference = r.reference OR l.reference LIKE r.reference || ':%'
       GROUP BY 1) AS l ON l.campaign_id = c.id
     WHERE c.credits_spent <> l.spent`,
  );
}
