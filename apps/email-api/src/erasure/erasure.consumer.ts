import { Injectable } from '@nestjs/common';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { clientOf, inIdRanges } from '@heliograph/database';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { Erasures, type ErasedPerson } from '@heliograph/persons';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';

const RETRY_MS = 30_000;

/**
 * Masks the recipient and the diagnostics of its events in a range of sends. The content of a send is deleted if the
 * person is its only recipient; otherwise it is retained for the other recipients, without the reference, the tags and the headers that
 * contain the address. `email.claim` skips and refunds
 * masked recipients that are not sent yet. Recipients in state `sending` are not masked but counted.
 */
const MASK = `
  WITH found AS (
    SELECT r.message_id, r.position, r.state = 'sending' AS is_sending
    FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
    WHERE m.id > $1 AND m.id <= $2 AND m.organization_id = $3 AND m.created_at <= $6 AND lower(r.address) = $4
  ), settled AS (
    SELECT message_id, position FROM found WHERE NOT is_sending
  ), masked AS (
    UPDATE email.recipients AS r SET address = $5, last_error = NULL, history = NULL
    FROM settled AS s WHERE r.message_id = s.message_id AND r.position = s.position
  ), events AS (
    UPDATE email.events AS e SET url = NULL, reason = CASE WHEN e.reason IS NOT NULL THEN 'erased' END
    FROM settled AS s WHERE e.message_id = s.message_id AND e.position = s.position
  ), emptied AS (
    UPDATE email.messages AS m SET
      subject = CASE WHEN u.is_alone THEN '' ELSE m.subject END,
      html = CASE WHEN NOT u.is_alone THEN m.html END,
      text = CASE WHEN NOT u.is_alone THEN m.text END,
      attachments = CASE WHEN NOT u.is_alone THEN m.attachments END,
      reference = CASE WHEN NOT u.is_alone AND strpos(lower(m.reference), $4) = 0 THEN m.reference END,
      tags = ARRAY(SELECT t FROM unnest(m.tags) AS t WHERE NOT u.is_alone AND strpos(lower(t), $4) = 0),
      headers = (SELECT jsonb_object_agg(h.key, h.value) FROM jsonb_each(m.headers) AS h
        WHERE NOT u.is_alone AND strpos(lower(h.value::text), $4) = 0)
    FROM (
      SELECT s.message_id,
        NOT EXISTS (SELECT FROM email.recipients AS o WHERE o.message_id = s.message_id AND o.position <> s.position) AS is_alone
      FROM settled AS s) AS u
    WHERE m.id = u.message_id
  )
  SELECT count(*) FILTER (WHERE is_sending)::int AS sending FROM found`;

/** Erases a person from the sends and suppressions of an organization. The charges in the ledger are retained. */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly dataSource: DataSource,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('email-api'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('email-api', data.erasureId, async (person) => {
      if (person.kind === 'email') await this.mask(person);
    });
  }

  private async mask({ erasureId, organizationId, value, mask, requestedAt }: ErasedPerson): Promise<void> {
    // The stored erasure takes the place of the suppression.
    await this.dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const { rowCount } = await client.query(
        'DELETE FROM email.suppressions WHERE organization_id = $1 AND address_key = $2 AND created_at <= $3',
        [organizationId, value, requestedAt],
      );
      if (rowCount) await this.erasures.block(transaction, erasureId, ['email']);
    });
    let sending = 0;
    await inIdRanges(this.pool, 'email.messages', async (after, upTo) => {
      const { rows } = await this.pool.query<{ sending: number }>(MASK, [
        after,
        upTo,
        organizationId,
        value,
        mask,
        requestedAt,
      ]);
      sending += rows[0]?.sending ?? 0;
    });
    if (sending > 0) throw new TryAgainLater(RETRY_MS, `${sending} mails are being sent`);
  }
}
