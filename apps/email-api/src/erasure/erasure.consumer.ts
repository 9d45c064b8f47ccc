import { Injectable } from '@nestjs/common';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { clientOf, inIdRanges } from '@heliograph/database';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { Erasures, type ErasedPerson } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';

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
    UPDATE email.messages AS m SET subject = '', html = NULL, text = NULL, attachments = NULL, reference = NULL, tags = '{}',
      headers = NULL
    FROM settled AS s
    WHERE m.id = s.message_id
      AND NOT EXISTS (SELECT FROM email.recipients AS o WHERE o.message_id = m.id AND o.position <> s.position)
  )
  SELECT count(*) FILTER (WHERE is_sending)::int AS sending FROM found`;

/**
 * Removes references, tags and headers that contain the address or number (`$4`) in a range of sends, and masks it in subjects,
 * which other recipients received too. `$6` matches it as a word of a text.
 */
const REMOVE_MENTIONS = `
  UPDATE email.messages AS m SET
    subject = regexp_replace(m.subject, $6, $7, 'gi'),
    reference = CASE WHEN strpos(lower(m.reference), $4) = 0 THEN m.reference END,
    tags = ARRAY(SELECT t FROM unnest(m.tags) AS t WHERE strpos(lower(t), $4) = 0),
    headers = (SELECT jsonb_object_agg(h.key, h.value) FROM jsonb_each(m.headers) AS h WHERE strpos(lower(h.value::text), $4) = 0)
  WHERE m.id > $1 AND m.id <= $2 AND m.organization_id = $3 AND m.created_at <= $5
    AND strpos(lower(concat_ws(' ', m.subject, m.reference, m.tags::text, m.headers::text)), $4) > 0`;

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
      await this.removeMentions(person);
      if (person.kind === 'email') await this.mask(person);
    });
  }

  private removeMentions(person: ErasedPerson): Promise<string> {
    const { organizationId, value, mask, requestedAt } = person;
    // The number may be written without a plus sign.
    const text = value.replace(/^\+/, '');
    return inIdRanges(this.pool, 'email.messages', async (after, upTo) => {
      await this.pool.query(REMOVE_MENTIONS, [
        after,
        upTo,
        organizationId,
        text,
        requestedAt,
        wordPattern(person),
        mask,
      ]);
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

/** A regular expression of PostgreSQL for the address or number, but not for a longer one that contains it. */
function wordPattern({ kind, value }: ErasedPerson): string {
  const text = value.replace(/^\+/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return kind === 'phone' ? `\\+?(?<!\\w)${text}(?!\\w)` : `(?<![\\w.+-])${text}(?![\\w-]|\\.\\w)`;
}
