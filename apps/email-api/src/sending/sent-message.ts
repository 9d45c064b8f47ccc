/** Maximum copies of a mail that may be sent without a confirmation. */
export const MAX_COPIES = 2;

/** An attachment as it is stored. */
export interface MailAttachment {
  filename: string;
  contentType: string;
  contentBase64: string;
}

/** Addresses in the headers `To` and `Cc`. Erased persons are missing. */
export interface ShownRecipients {
  to: string[];
  cc: string[];
}

/** The data of a send that is needed to compose its mails. */
export interface SentMessage {
  id: string;
  /** Null for system mail. */
  organizationId: string | null;
  workspaceId: string | null;
  /** Domain of the sender; null for system mail. */
  domainId: string | null;
  fromAddress: string;
  fromName: string | null;
  /** Addresses for replies; null if replies go to the sender. */
  replyTo: string[] | null;
  /** Additional headers by name. */
  headers: Record<string, string> | null;
  /** The recipients that every copy shows; null if each mail shows its own recipient only. */
  shownRecipients: ShownRecipients | null;
  subject: string;
  html: string | null;
  text: string | null;
  attachments: MailAttachment[] | null;
  trackOpens: boolean;
  trackClicks: boolean;
  /** `transactional`, `marketing`, or the name of a list. */
  unsubscribeScope: string;
  /** RFC 3339 */
  createdAt: string;
  /** X-Request-Id of the request that created it. */
  correlationId: string | null;
}

/** A send that a worker delivers. */
export interface DueMessage extends SentMessage {
  /** Null if the send belongs to no campaign. */
  campaignId: string | null;
}

/** A due recipient. */
export interface DueRecipient {
  position: number;
  address: string;
  /** Number of copies that may have been sent without a confirmation. */
  copies: number;
  attempts: number;
  /** RFC 3339; null before the first attempt. */
  firstTriedAt: string | null;
}
