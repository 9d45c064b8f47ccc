import { mailRequested, type MailPurpose } from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import type { Mail } from '@heliograph/mail-layout';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { EntityManager } from 'typeorm';

export interface MailRequest {
  purpose: MailPurpose;
  to: string;
  mail: Mail;
  /** Null for emails that concern a user and no organization. */
  organizationId: string | null;
  /** Id of the request that caused the email. */
  requestId: string | null;
}

/** Sends an email after the transaction commits. */
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
  await addToOutbox(await clientOf(transaction), [event]);
}
