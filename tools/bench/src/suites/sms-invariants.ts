import type { Client } from 'pg';

/** What must hold after every run, named by what is wrong when it does not. */
export async function brokenInvariants(
  database: Client,
  expected: { accepted: number; reachedCarrier: number },
): Promise<string[]> {
  const one = async (text: string): Promise<number> =>
    Number((await database.query<{ value: string }>(`SELECT (${text})::text AS value`)).rows[0]?.value ?? NaN);
  const stored = await one('SELECT count(*) FROM sms.messages');
  const checks: [string, number, number][] = [
    [
      'accounts whose balance differs from their ledger',
      await one(`
      SELECT count(*) FROM credits.accounts AS a
      WHERE balance <> (SELECT sum(amount) FROM credits.ledger AS l WHERE l.workspace_id = a.workspace_id AND l.credit_type = a.credit_type)`),
      0,
    ],
    [
      'messages without exactly one charge',
      await one(`
      SELECT count(*) FROM sms.messages AS m
      WHERE (SELECT count(*) FROM credits.ledger WHERE reference = 'sms:' || m.id AND kind = 'charge') <> 1`),
      0,
    ],
    [
      'charges without a message',
      await one(`
      SELECT count(*) FROM credits.ledger WHERE kind = 'charge'`),
      stored,
    ],
    ['accepted and stored differ', stored, expected.accepted],
    ['stored and reached the carrier differ', expected.reachedCarrier, stored],
    ['messages that are not delivered', await one(`SELECT count(*) FROM sms.messages WHERE status <> 'delivered'`), 0],
    ['events left in the outbox', await one('SELECT count(*) FROM messaging.outbox'), 0],
  ];
  return checks
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what}: ${found}, not ${wanted}`);
}
