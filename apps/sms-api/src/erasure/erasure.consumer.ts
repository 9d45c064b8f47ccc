import { Injectable } from '@nestjs/common';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { inIdRanges } from '@heliograph/database';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { Erasures, type ErasedPerson } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { MessagesRepository } from '../messages/messages.repository';

const RETRY_MS = 30_000;

/** Erases a person from the messages of an organization. The ledger contains no recipients, so its charges are retained. */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly erasures: Erasures,
    private readonly messages: MessagesRepository,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('sms-api'), concurrency: 1 })
  erase({ data, correlationId }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('sms-api', data.erasureId, async (person) => {
      await this.removeReferences(person);
      if (person.kind !== 'phone') return;
      await this.cancelScheduled(person, correlationId ?? '');
      await this.cancelStopped(person);
      await this.mask(person);
    });
  }

  /** References of the caller may contain the address or number. */
  private removeReferences({ organizationId, value, requestedAt }: ErasedPerson): Promise<string> {
    return inIdRanges(this.pool, 'sms.messages', async (after, upTo) => {
      await this.pool.query(
        `UPDATE sms.messages SET reference = NULL
         WHERE id > $1 AND id <= $2 AND organization_id = $3 AND created_at <= $5 AND strpos(lower(reference), $4) > 0`,
        [after, upTo, organizationId, value.replace(/^\+/, ''), requestedAt],
      );
    });
  }

  private async cancelScheduled(
    { organizationId, value, requestedAt }: ErasedPerson,
    correlationId: string,
  ): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM sms.messages
       WHERE organization_id = $1 AND scheduled_at IS NOT NULL AND status = 'scheduled' AND recipient = $2
         AND created_at <= $3`,
      [organizationId, value, requestedAt],
    );
    const owner = { organizationId, workspaceId: null };
    for (const { id } of rows) await this.messages.cancel(owner, id, correlationId);
  }

  /** Cancels messages that wait until their campaign is resumed. Other queued messages leave soon. */
  private async cancelStopped({ organizationId, value, requestedAt }: ErasedPerson): Promise<void> {
    await this.pool.query(
      `SELECT sms.cancel_waiting(array_agg(m.id)) FROM sms.messages AS m
       WHERE m.organization_id = $1 AND m.recipient = $2 AND m.status = 'queued' AND m.created_at <= $3
         AND CASE WHEN m.campaign_id IS NULL THEN false ELSE campaigns.is_stopped(m.campaign_id) END`,
      [organizationId, value, requestedAt],
    );
  }

  private async mask({ organizationId, value, mask, requestedAt }: ErasedPerson): Promise<void> {
    let inProgress = 0;
    await inIdRanges(this.pool, 'sms.messages', async (after, upTo) => {
      const { rows } = await this.pool.query<{ unfinished: number }>(
        `WITH found AS (
           SELECT id, status IN ('scheduled', 'queued') AS is_unfinished FROM sms.messages
           WHERE id > $1 AND id <= $2 AND organization_id = $3 AND recipient = $4 AND created_at <= $6
         ), masked AS (
           UPDATE sms.messages SET recipient = $5, body = '', last_error = NULL, attempts = NULL, reference = NULL
           WHERE id IN (SELECT id FROM found WHERE NOT is_unfinished)
         )
         SELECT count(*) FILTER (WHERE is_unfinished)::int AS unfinished FROM found`,
        [after, upTo, organizationId, value, mask, requestedAt],
      );
      inProgress += rows[0]?.unfinished ?? 0;
    });
    if (inProgress > 0) throw new TryAgainLater(RETRY_MS, `${inProgress} messages are being sent`);
  }
}
