import { Inject, Injectable } from '@nestjs/common';
import { MAIL_QUEUE, mailRequested, type EventOf } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/addresses';
import { TRANSACTIONAL } from '@heliograph/email-catalog';
import { Consumes, Relay } from '@heliograph/messaging';
import { CONFIG, LOGGER, type Logger } from '@heliograph/service-kit';
import { deleteMailContent, readMailContent, type MailContent } from '@heliograph/system-mail';
import { Pool } from 'pg';
import type { EmailApiConfig } from '../email-api.config';
import { Acceptance } from '../messages/acceptance/acceptance';

/** Caller id for the idempotency claims of events; no API key has it. */
const SYSTEM_CALLER = '00000000-0000-0000-0000-000000000000';

/**
 * Sends the system mail requested by other services. The id of the event is claimed as an idempotency key, so that a
 * duplicate event creates one send, and the content is deleted afterwards.
 */
@Injectable()
export class SystemMailConsumer {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly relay: Relay,
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Consumes(mailRequested, { queue: MAIL_QUEUE, concurrency: 5 })
  async send({ id, correlationId, data }: EventOf<typeof mailRequested>): Promise<void> {
    const content = await readMailContent(this.pool, data.contentId);
    // The content is deleted after the send is committed, so an event without content is a duplicate.
    if (content === null) return;
    const recipients = this.recipientsOf(id, data.to);
    if (recipients.length > 0) await this.accept(id, correlationId, recipients, content);
    await deleteMailContent(this.pool, data.contentId);
    this.relay.wake();
  }

  private async accept(
    eventId: string,
    correlationId: string | null,
    recipients: string[],
    { subject, html, text, attachments }: MailContent,
  ): Promise<void> {
    await this.acceptance.accept({
      id: newId(),
      entry_id: newId(),
      organization_id: null,
      workspace_id: null,
      domain_id: null,
      from_address: this.config.EMAIL_PLATFORM_FROM,
      from_name: this.config.EMAIL_PLATFORM_NAME,
      reply_to: null,
      headers: null,
      subject,
      html,
      text,
      attachments,
      // System mail is not tracked.
      track_opens: false,
      track_clicks: false,
      unsubscribe_scope: TRANSACTIONAL,
      recipients,
      shares_header: false,
      recipient_kinds: null,
      scheduled_at: null,
      due_at: new Date().toISOString(),
      created_at: new Date().toISOString(),
      correlation_id: correlationId,
      template_id: null,
      tags: [],
      reference: null,
      campaign_id: null,
      kind: 'single',
      key_id: null,
      client_address: null,
      caller_id: SYSTEM_CALLER,
      endpoint: 'mail.requested',
      idempotency_key: eventId,
      fingerprint: '',
    });
  }

  /** Invalid addresses are logged and skipped, because a retry cannot succeed. */
  private recipientsOf(eventId: string, listed: string[]): string[] {
    const addresses = new Map<string, string>();
    for (const text of listed) {
      const address = readEmailAddress(text.trim());
      if (address === null) this.log.error({ eventId }, 'mail was requested for an invalid address');
      else addresses.set(addressKey(address), address);
    }
    return [...addresses.values()];
  }
}
