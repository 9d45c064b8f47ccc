/** A file that goes with a mail of the platform's own. */
export interface MailAttachment {
  filename: string;
  contentType: string;
  contentBase64: string;
}

/** A send, as far as its mails are made of it. */
export interface SentMessage {
  id: string;
  /** Null: the platform's own mail. */
  organizationId: string | null;
  workspaceId: string | null;
  /** Of the sender; null: the platform's. */
  domainId: string | null;
  fromAddress: string;
  fromName: string | null;
  subject: string;
  html: string | null;
  text: string | null;
  attachments: MailAttachment[] | null;
  trackOpens: boolean;
  trackClicks: boolean;
  /** RFC 3339 */
  createdAt: string;
}

/** A recipient whose mail is due. */
export interface DueRecipient {
  position: number;
  address: string;
  /** That may be out already, with no answer that said so. */
  copies: number;
  attempts: number;
  /** RFC 3339; null before the first attempt. */
  firstTriedAt: string | null;
}
