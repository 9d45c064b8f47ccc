import type { CarrierSimulator } from '@heliograph/simulators';
import type { InvariantChecker } from '../invariant-checker';
import type { SmsWorkload } from './sms-workload';

interface SmsRun {
  sms: SmsWorkload;
  /** The ids of messages that other workloads have sent. */
  others: readonly string[];
  carrier: CarrierSimulator;
}

/** Every accepted SMS is stored once, charged once, final, and known to the carrier if it was delivered. */
export async function checkSms(checker: InvariantChecker, { sms, others, carrier }: SmsRun): Promise<void> {
  checker.add(sms.problems);
  const ids = [...sms.accepted.values()];
  await checker.noRows(
    'SMS acknowledged and lost',
    'SELECT id FROM unnest($1::uuid[]) AS id WHERE id NOT IN (SELECT id FROM sms.messages)',
    [ids],
  );
  await checker.noRows(
    'SMS stored twice for one key',
    'SELECT id FROM sms.messages WHERE campaign_id IS NULL AND id <> ALL ($1::uuid[])',
    [[...ids, ...others]],
  );
  await checker.noRows(
    'SMS without exactly one charge',
    `SELECT m.id, count(l.id) FROM sms.messages AS m
     LEFT JOIN credits.ledger AS l ON l.reference = 'sms:' || m.id AND l.kind = 'charge'
     GROUP BY m.id HAVING count(l.id) <> 1`,
  );
  await checker.noRows(
    'SMS charges without a message',
    `SELECT reference FROM credits.ledger
     WHERE kind = 'charge' AND credit_type = 'sms' AND reference NOT IN (SELECT 'sms:' || id FROM sms.messages)`,
  );
  await checker.noRows(
    'SMS with a wrong or missing refund',
    `SELECT m.id, m.status, m.last_error, l.id IS NOT NULL AS refunded FROM sms.messages AS m
     LEFT JOIN credits.ledger AS l ON l.reference = 'sms:' || m.id AND l.kind = 'refund'
     WHERE (l.id IS NOT NULL) <> (m.status = 'canceled' OR m.status = 'failed' AND m.last_error LIKE '%rejected the message%')`,
  );
  await checker.noRows(
    'SMS neither delivered nor failed with a reason',
    `SELECT id, status, submits, claimed_until, last_error FROM sms.messages
     WHERE NOT (status = 'delivered' OR (status = 'failed' AND last_error IS NOT NULL)
       OR (status = 'canceled' AND campaign_id IS NOT NULL))`,
  );
  await checker.noRows(
    'receipts of known parts that are unmatched',
    'SELECT * FROM sms.unmatched_receipts AS r JOIN sms.parts AS p USING (carrier, upstream_id)',
  );
  const submitted = new Set(acceptedBy(carrier).map(({ destination }) => `+${destination}`));
  const delivered = await checker.column(`SELECT recipient FROM sms.messages WHERE status = 'delivered'`);
  const missing = delivered.filter((recipient) => !submitted.has(recipient));
  if (missing.length > 0) checker.add([`SMS delivered that the carrier never accepted: ${missing.length}`]);
}

export function acceptedBy(carrier: CarrierSimulator): ReturnType<CarrierSimulator['messages']> {
  return carrier.messages().filter(({ accepted }) => accepted);
}
