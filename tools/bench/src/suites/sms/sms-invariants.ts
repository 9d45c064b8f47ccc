import { reconcile } from '@heliograph/credits';
import type { Client } from 'pg';
import { numberOf, violationsOf } from '../queries';

export async function smsViolations(
  client: Client,
  { accepted, acceptedByCarrier }: { accepted: number; acceptedByCarrier: number },
): Promise<string[]> {
  const stored = await numberOf(client, 'SELECT count(*) FROM sms.messages');
  return violationsOf([
    ['balances that differ from the ledger', (await reconcile(client)).length, 0],
    [
      'messages without exactly one charge',
      await numberOf(
        client,
        `SELECT count(*) FROM sms.messages AS m
         WHERE (SELECT count(*) FROM credits.ledger WHERE reference = 'sms:' || m.id AND kind = 'charge') <> 1`,
      ),
      0,
    ],
    ['charges', await numberOf(client, `SELECT count(*) FROM credits.ledger WHERE kind = 'charge'`), stored],
    ['stored messages', stored, accepted],
    ['messages accepted by the carrier', acceptedByCarrier, stored],
    [
      'messages that are not delivered',
      await numberOf(client, `SELECT count(*) FROM sms.messages WHERE status <> 'delivered'`),
      0,
    ],
    ['events in the outbox', await numberOf(client, 'SELECT count(*) FROM messaging.outbox'), 0],
  ]);
}
