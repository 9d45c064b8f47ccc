import { Injectable } from '@nestjs/common';
import { messagingTimestampSql } from '@heliograph/database';
import type { PendingResponses } from '@heliograph/idempotency';
import { Pool } from 'pg';
import { MailComposer } from '../sending/mail-composer';
import type { SendResponse } from './records.dto';
import { deferralOf, failureOf, responseTo } from './send-response';

interface StoredSend {
  fromAddress: string;
  scheduledAt: string | null;
  isRunning: boolean;
  recipients: { address: string; state: string; error: string | null; copies: number }[];
}

/** Derives the response to a send from the stored rows, for a process that crashed before it stored the response. */
@Injectable()
export class SendResponses implements PendingResponses<SendResponse> {
  constructor(
    private readonly pool: Pool,
    private readonly composer: MailComposer,
  ) {}

  async responseOf(id: string): Promise<SendResponse | 'running' | 'undone'> {
    const { rows } = await this.pool.query<StoredSend>(
      `SELECT m.from_address AS "fromAddress", ${messagingTimestampSql('m.scheduled_at')} AS "scheduledAt",
         m.status = 'sending' AND m.lease_until > now() AS "isRunning", r.recipients
       FROM email.messages AS m
       CROSS JOIN LATERAL (
         SELECT json_agg(json_build_object('address', r.address, 'state', r.state, 'error', r.last_error,
           'copies', r.copies)
           ORDER BY r.position) AS recipients
         FROM email.recipients AS r WHERE r.message_id = m.id) AS r
       WHERE m.id = $1`,
      [id],
    );
    const [send] = rows;
    if (!send || send.isRunning) return 'running';
    const response = this.responseTo(id, send);
    return failureOf(response) ? 'undone' : response;
  }

  private responseTo(id: string, { fromAddress, scheduledAt, recipients }: StoredSend): SendResponse {
    const positions = recipients.map((recipient, position) => ({ ...recipient, position }));
    return responseTo(
      { id, fromAddress },
      {
        to: recipients.map(({ address }) => address),
        scheduledAt,
        skipped: new Set(positions.filter(({ state }) => state === 'skipped').map(({ position }) => position)),
        results: scheduledAt
          ? []
          : positions.map(({ position, state, error, copies }) => ({
              position,
              messageId: this.composer.messageIdOf({ id, fromAddress }, position),
              refusal: state === 'failed' ? (error ?? 'The mail backend rejected the mail.') : null,
              deferral: state === 'deferred' && error !== null ? deferralOf(error, copies > 0) : null,
            })),
      },
    );
  }
}
