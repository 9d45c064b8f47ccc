import { Injectable } from '@nestjs/common';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { inIdRanges } from '@heliograph/database';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { Erasures, type ErasedPerson } from '@heliograph/persons';
import { Pool } from 'pg';

const RETRY_MS = 30_000;

/**
 * Masks the recipient and the diagnostics of its events in a range of sends. The content of a send is deleted if the
 * person is its only recipient; otherwise it is retained for the other recipients. `email.claim` skips and refunds
 * masked recipients that are not sent yet. Recipients in state `sending` are not masked but counted.
 */
const MASK = `
  WITH found AS (
    SELECT r.message_id, r.position, r.state = 'sending' AS is_sending
    FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
    WHERE m.id > $1 AND m.id <= $2 AND m.organization_id = $3 AND lower(r.address) = $4
  ), settled AS (
    SELECT message_id, position FROM found WHERE NOT is_sending
  ), masked AS (
    UPDATE email.recipients AS r SET address = $5, last_error = NULL, history = NULL
    FROM settled AS s WHERE r.message_id = s.message_id AND r.position = s.position
  ), events AS (
    UPDATE email.events AS e SET url = NULL, reason = CASE WHEN e.reason IS NOT NULL THEN 'erased' END
    FROM settled AS s WHERE e.message_id = s.message_id AND e.position = s.position
  ), emptied AS (
    UPDATE email.messages AS m SET subject = '', html = NULL, text = NULL, attachments = NULL
    FROM settled AS s
    WHERE m.id = s.message_id
      AND NOT EXISTS (SELECT FROM email.recipients AS o WHERE o.message_id = m.id AND o.position <> s.position)
  )
  SELECT count(*) FILTER (WHERE is_sending)::int AS sending FROM found`;

/** Erases a person from the sends and suppressions of an organization. The charges in the ledger are retained. */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('email-api'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('email-api', data.erasureId, async (person) => {
      if (person.kind === 'email') await this.mask(person);
    });
  }

  private async mask({ organizationId, value, mask }: ErasedPerson): Promise<void> {
    // The suppression is deleted, because the stored erasure already stops all mail to the person.
    await this.pool.query('DELETE FROM email.suppressions WHERE organization_id = $1 AND address_key = $2', [
      organizationId,
      value,
    ]);
    let sending = 0;
    await inIdRanges(this.pool, 'email.messages', async (after, upTo) => {
      const { rows } = await this.pool.query<{ sending: number }>(MASK, [after, upTo, organizationId, value, mask]);
      sending += rows[0]?.sending ?? 0;
    });
    if (sending > 0) throw new TryAgainLater(RETRY_MS, `${sending} mails are being sent`);
  }
}
