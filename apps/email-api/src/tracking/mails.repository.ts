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
}

@Injectable()
export class MailsRepository {
  constructor(private readonly pool: Pool) {}

  /** Reads across tenants, because recipients belong to no tenant. The signed reference authorizes the access. */
  async findAcrossTenants({ messageId, position }: RecipientRef): Promise<SentMail | null> {
    const { rows } = await this.pool.query<{ sender: string; address: string; scope: string; sent_at: Date }>({
      name: 'email-find-mail',
      text: `
        SELECT coalesce(o.name, m.from_name, m.from_address) AS sender, r.address,
          email.unsubscribed_scope(m.unsubscribe_scope) AS scope,
          coalesce(r.sent_at, r.first_tried_at, m.created_at) AS sent_at
        FROM email.recipients AS r
        JOIN email.messages AS m ON m.id = r.message_id
        LEFT JOIN tenancy.organizations AS o ON o.id = m.organization_id
        WHERE r.message_id = $1 AND r.position = $2`,
      values: [messageId, position],
    });
    const [row] = rows;
    return row ? { sender: row.sender, address: row.address, scope: row.scope, sentAt: row.sent_at } : null;
  }
}
