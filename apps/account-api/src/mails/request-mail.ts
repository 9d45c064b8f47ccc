import { mailRequested, type MailPurpose } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import type { Mail } from '@heliograph/mails';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { EntityManager } from 'typeorm';

export interface MailRequest {
  purpose: MailPurpose;
  to: string;
  mail: Mail;
  /** Null for what concerns a person and no organization. */
  organizationId: string | null;
  /** Of the call that the mail follows from. */
  requestId: string | null;
}

/** Has a mail sent, if and when the transaction commits. */
export async function requestMail(
  transaction: EntityManager,
  { purpose, to, mail, organizationId, requestId }: MailRequest,
): Promise<void> {
  const event = composeEvent(mailRequested, {
    organizationId,
    workspaceId: null,
    correlationId: requestId,
    data: { purpose, to: [to], ...mail, attachments: [] },
  });
  await addToOutbox(clientOf(transaction), [event]);
}
