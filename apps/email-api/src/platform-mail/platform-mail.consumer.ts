import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { MAIL_QUEUE, mailRequested, type EventOf } from '@heliograph/contracts';
import { newId, poolOf } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/email-address';
import { BUS, consumeEvents, Relay, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { Acceptance } from '../messages/acceptance';

const CONCURRENCY = 5;
/** Who claims the event's id as a key: nobody among the callers. */
const PLATFORM = '00000000-0000-0000-0000-000000000000';

/**
 * Sends the mail that other services ask for, from the platform's own sender. The event's id is claimed like the
 * Idempotency-Key of a call, so that an event which comes twice makes one send.
 */
@Injectable()
export class PlatformMailConsumer implements OnModuleInit, OnModuleDestroy {
  private consumption: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Acceptance) private readonly acceptance: Acceptance,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.ROLE === 'api') return;
    this.consumption = await consumeEvents(this.bus, poolOf(this.dataSource), this.log, {
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
      // The platform does not follow people.
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

  /** An address that cannot be written to is told to the operator: asking again would not make it one. */
  private recipientsOf(eventId: string, listed: string[]): string[] {
    const addresses = new Map<string, string>();
    for (const text of listed) {
      const address = readEmailAddress(text.trim());
      if (address === null)
        this.log.error({ eventId }, 'a mail was requested to what is no address that can be sent to');
      else addresses.set(addressKey(address), address);
    }
    return [...addresses.values()];
  }
}
