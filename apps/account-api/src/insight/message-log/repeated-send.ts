import type { V1LoggedMessage, V1LoggedRecipient, V1RepeatedSend } from './message-log.dto';

/** What the details of a message contain beside its record. */
export interface DetailsRow {
  text?: string | null;
  html?: string | null;
  encoding?: string;
  segments?: number;
  request_id: string | null;
  sent_at: Date | null;
  delivered_at?: Date | null;
  recipient_states?: V1LoggedRecipient[];
  /** Only of SMS. */
  sender_id?: string;
  flash?: boolean;
  /** Only of emails. */
  subject?: string;
  from_name?: string | null;
  reply_to?: string[] | null;
  headers?: Record<string, string> | null;
  tags?: string[];
  unsubscribe_scope?: string;
  track_opens?: boolean;
  track_clicks?: boolean;
  has_attachments?: boolean;
}

/** A send with the content of a message; null if its content is not stored. */
export function repeatOf(message: V1LoggedMessage, row: DetailsRow): V1RepeatedSend | null {
  const common = {
    ...(message.workspace_id === null ? {} : { workspace_id: message.workspace_id }),
    ...(message.reference === null ? {} : { reference: message.reference }),
  };
  if (message.channel === 'sms') {
    if (!row.text) return null;
    const body = {
      to: message.to[0],
      sender_id: row.sender_id,
      message: row.text,
      ...(row.flash ? { flash: true } : {}),
      ...common,
    };
    return { path: '/api/v1/sms/send', body };
  }
  if (message.channel !== 'email' || row.has_attachments || (!row.html && !row.text)) return null;
  const recipients = row.recipient_states ?? [];
  // The details list only the first recipients.
  if (recipients.length < message.recipients) return null;
  const addressesOf = (kind: string): string[] => recipients.filter((one) => one.kind === kind).map(({ to }) => to);
  const cc = addressesOf('cc');
  const bcc = addressesOf('bcc');
  const body = {
    to: addressesOf('to'),
    ...(cc.length === 0 ? {} : { cc }),
    ...(bcc.length === 0 ? {} : { bcc }),
    from: message.sender,
    ...(row.from_name ? { from_name: row.from_name } : {}),
    ...(row.reply_to && row.reply_to.length > 0 ? { reply_to: row.reply_to } : {}),
    subject: row.subject,
    ...(row.html ? { html: row.html } : {}),
    ...(row.text ? { text: row.text } : {}),
    ...(row.headers && Object.keys(row.headers).length > 0 ? { headers: row.headers } : {}),
    ...(row.tags && row.tags.length > 0 ? { tags: row.tags } : {}),
    tracking: { opens: row.track_opens, clicks: row.track_clicks },
    ...(row.unsubscribe_scope === undefined ? {} : { unsubscribe_scope: row.unsubscribe_scope }),
    ...common,
  };
  return { path: '/api/v1/email/send', body };
}
