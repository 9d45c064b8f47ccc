import { Inject, Injectable } from '@nestjs/common';
import { poolOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { RecipientRef } from '../events/recipient-event';

/** The mail of one recipient, as far as its reader has to do with it. */
export interface SentMail {
  /** Whoever sent it: the organization's name, or the address of the sender. */
  sender: string;
  /** The recipient's. */
  address: string;
  sentAt: Date;
}

@Injectable()
export class MailsRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** Across tenants, because the reader of a mail knows of none: the signed reference is the right to see it. */
  async findAcrossTenants({ messageId, position }: RecipientRef): Promise<SentMail | null> {
    const { rows } = await poolOf(this.dataSource).query<{ sender: string; address: string; sent_at: Date }>({
      name: 'email-find-mail',
      text: `
        SELECT coalesce(o.name, m.from_name, m.from_address) AS sender, r.address,
          coalesce(r.sent_at, r.first_tried_at, m.created_at) AS sent_at
        FROM email.recipients AS r
        JOIN email.messages AS m ON m.id = r.message_id
        LEFT JOIN tenancy.organizations AS o ON o.id = m.organization_id
        WHERE r.message_id = $1 AND r.position = $2`,
      values: [messageId, position],
    });
    const [row] = rows;
    return row ? { sender: row.sender, address: row.address, sentAt: row.sent_at } : null;
  }
}
