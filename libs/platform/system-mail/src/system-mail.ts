import { mailRequested, type MailPurpose } from '@heliograph/contracts';
import { clientOf, isTestId, newId } from '@heliograph/database';
import type { Mail } from './layout/compose-mail';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

export interface MailAttachment {
  filename: string;
  contentType: string;
  contentBase64: string;
}

/** The content of a system email. It can contain tokens, so it is deleted once the email is accepted. */
export interface MailContent extends Mail {
  attachments: MailAttachment[];
}

export interface MailRequest {
  purpose: MailPurpose;
  /** Each recipient gets a separate email. */
  to: string[];
  mail: Mail;
  attachments?: MailAttachment[];
  /** Null for emails that concern a user and no organization. */
  organizationId: string | null;
  workspaceId: string | null;
  /** Id of the request that caused the email. */
  correlationId: string | null;
}

/**
 * Requests a system email, which email-api sends after the transaction commits. The event carries the id of the content
 * instead of the content, so that the tokens of links are neither in the outbox nor on the bus. Test organizations send no email.
 */
export async function requestMail(transaction: EntityManager, request: MailRequest): Promise<void> {
  const { purpose, to, mail, attachments = [], organizationId, workspaceId, correlationId } = request;
  if (organizationId !== null && isTestId(organizationId)) return;
  const contentId = newId();
  const client = await clientOf(transaction);
  const data = { purpose, to, contentId };
  const event = composeEvent(mailRequested, { organizationId, workspaceId, correlationId, data });
  await client.query(
    'INSERT INTO system_mail.contents (id, subject, text, html, attachments, event) VALUES ($1, $2, $3, $4, $5, $6)',
    [contentId, mail.subject, mail.text, mail.html, JSON.stringify(attachments), JSON.stringify(event)],
  );
  await addToOutbox(client, [event]);
}

/** Null after the content was deleted. */
export async function readMailContent(pool: Pool, id: string): Promise<MailContent | null> {
  const { rows } = await pool.query<MailContent>(
    'SELECT subject, text, html, attachments FROM system_mail.contents WHERE id = $1',
    [id],
  );
  return rows[0] ?? null;
}

export async function deleteMailContent(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM system_mail.contents WHERE id = $1', [id]);
}
