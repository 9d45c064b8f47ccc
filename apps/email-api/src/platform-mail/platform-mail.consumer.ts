import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { MAIL_QUEUE, mailRequested, type EventOf } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/email-address';
import { BUS, consumeEvents, Relay, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { Acceptance } from '../messages/acceptance';

const CONCURRENCY = 5;
/** Caller id for the idempotency claims of events; no API key has it. */
const PLATFORM = '00000000-0000-0000-0000-000000000000';

/**
 * Sends the system mail requested by other services. The id of the event is claimed as an idempotency key, so that a
 * duplicate event creates one send.
 */
@Injectable()
export class PlatformMailConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly pool: Pool,
    private readonly acceptance: Acceptance,
    private readonly relay: Relay,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, this.pool, this.log, {
      queue: MAIL_QUEUE,
      contract: mailRequested,
      concurrency: CONCURRENCY,
      consume: (event) => this.accept(event),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumption?.stop();
  }

  private async accept({ id, correlationId, data }: EventOf<typeof mailRequested>): Promise<void> {
    const recipients = this.recipientsOf(id, data.to);
    if (recipients.length === 0) return;
    await this.acceptance.accept({
      id: newId(),
      entry_id: newId(),
      organization_id: null,
      workspace_id: null,
      domain_id: null,
      from_address: this.settings.EMAIL_PLATFORM_FROM,
      from_name: this.settings.EMAIL_PLATFORM_NAME,
      subject: data.subject,
      html: data.html,
      text: data.text,
      attachments: data.attachments,
      // System mail is not tracked.
      track_opens: false,
      track_clicks: false,
      recipients,
      scheduled_at: null,
      due_at: new Date().toISOString(),
      created_at: new Date().toISOString(),
      correlation_id: correlationId,
      caller_id: PLATFORM,
      endpoint: 'mail.requested',
      idempotency_key: id,
      fingerprint: '',
    });
    this.relay.wake();
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
