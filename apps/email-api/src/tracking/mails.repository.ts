import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

import type { RecipientRef } from '../events/recipient-event';

/** The data of a mail that is shown to its recipient. */
export interface SentMail {
  /** Name of the organization, or name or address of the sender. */
  sender: string;
  /** Address of the recipient. */
  address: string;
  /** The scope that an unsubscribe stops: `marketing`, or the name of a list. */
  scope: string;
  sentAt: Date;
  /** Whether an unsubscribe with the link of this mail stops the scope, which the link can undo. */
  isUnsubscribed: boolean;
  /** Whether any suppression stops the scope. */
  isSuppressed: boolean;
}

interface MailRow {
  sender: string;
  address: string;
  scope: string;
  sent_at: Date;
  is_unsubscribed: boolean;
  is_suppressed: boolean;
}

@Injectable()
export class MailsRepository {
  constructor(private readonly pool: Pool) {}

  /** Reads across tenants, because recipients belong to no tenant. The signed reference authorizes the access. */
  async findAcrossTenants({ messageId, position }: RecipientRef): Promise<SentMail | null> {
    const { rows } = await this.pool.query<MailRow>({
      name: 'email-find-mail',
      text: `
        SELECT coalesce(o.name, m.from_name, m.from_address) AS sender, r.address,
          email.unsubscribed_scope(m.unsubscribe_scope) AS scope,
          coalesce(r.sent_at, r.first_tried_at, m.created_at) AS sent_at,
          EXISTS (
            SELECT FROM email.suppressions AS s
            WHERE s.organization_id = m.organization_id AND s.address_key = lower(r.address)
              AND s.scope = email.unsubscribed_scope(m.unsubscribe_scope) AND s.reason = 'unsubscribed'
              AND s.message_id = m.id) AS is_unsubscribed,
          EXISTS (
            SELECT FROM email.suppression_of(m.organization_id, r.address, email.unsubscribed_scope(m.unsubscribe_scope))
          ) AS is_suppressed
        FROM email.recipients AS r
        JOIN email.messages AS m ON m.id = r.message_id
        LEFT JOIN tenancy.organizations AS o ON o.id = m.organization_id
        WHERE r.message_id = $1 AND r.position = $2`,
      values: [messageId, position],
    });
    const [row] = rows;
    if (!row) return null;
    return {
      sender: row.sender,
      address: row.address,
      scope: row.scope,
      sentAt: row.sent_at,
      isUnsubscribed: row.is_unsubscribed,
      isSuppressed: row.is_suppressed,
    };
  }
}
