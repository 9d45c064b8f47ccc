import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { Counter, type Registry } from 'prom-client';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { outcomeOf } from './notifications/notified-outcome';
import { readNotification, type Notification } from './notifications/read-notification';
import { ReturnListener, type ReturnIntake } from './return-listener';
import { isReportMailbox, refOfAddress, refOfComplaint } from './whose-mail';

const LIMITS = {
  maxBytes: 1024 * 1024,
  maxClients: 100,
  maxRecipients: 10,
  idleTimeoutMs: 60_000,
  connectionMs: 10 * 60_000,
} as const;

/** Turns what comes back into events of the recipients. What says nothing is taken and dropped. */
@Injectable()
export class ReturnsService implements ReturnIntake, OnModuleInit, OnModuleDestroy {
  /** Where the listener is; null where there is none. */
  port: number | null = null;
  private listener: ReturnListener | null = null;
  private readonly returned: Counter<'outcome'>;
  private warnedAt = 0;

  constructor(
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(RecipientTokens) private readonly tokens: RecipientTokens,
    @Inject(RecipientEvents) private readonly events: RecipientEvents,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.returned = new Counter({
      name: 'email_returns_total',
      help: 'Mails that came back, by what they told',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  async onModuleInit(): Promise<void> {
    const { EMAIL_RETURN_PORT, EMAIL_RETURN_HOST, EMAIL_RETURN_PATH_DOMAIN, ROLE } = this.settings;
    if (EMAIL_RETURN_PORT === undefined || ROLE === 'api') return;
    const place = { host: EMAIL_RETURN_HOST, port: EMAIL_RETURN_PORT, name: EMAIL_RETURN_PATH_DOMAIN ?? 'localhost' };
    this.listener = new ReturnListener({ ...place, ...LIMITS }, this, (error) => this.warn(error));
    this.port = await this.listener.listen();
    this.log.info({ port: this.port }, 'listening for mail that comes back');
  }

  async onModuleDestroy(): Promise<void> {
    await this.listener?.close();
  }

  accepts(recipient: string): boolean {
    return refOfAddress(this.tokens, recipient) !== null || isReportMailbox(recipient);
  }

  /** Resolves once everything is committed. Rejects when the database is away: the mail comes again then. */
  async take(raw: Buffer, recipients: string[]): Promise<void> {
    const notification = readNotification(raw);
    if (!notification) {
      this.returned.inc({ outcome: 'ignored' });
      return;
    }
    const refs = recipients.flatMap((recipient) => this.refOf(recipient, notification) ?? []);
    if (refs.length === 0) this.returned.inc({ outcome: 'unknown' });
    await Promise.all(refs.map((ref) => this.record(ref, notification)));
  }

  /** The address that was made for one recipient goes before what the report says. */
  private refOf(address: string, notification: Notification): RecipientRef | null {
    const ref = refOfAddress(this.tokens, address);
    return ref ?? (notification.kind === 'complaint' ? refOfComplaint(this.tokens, notification) : null);
  }

  private async record(ref: RecipientRef, notification: Notification): Promise<void> {
    const outcome = outcomeOf(notification);
    if (outcome.type === 'nothing' || outcome.type === 'delayed') {
      this.returned.inc({ outcome: outcome.type });
      return;
    }
    const recorded = await this.events.record({ ...ref, ...outcome, url: null, occurredAt: new Date() });
    this.returned.inc({ outcome: recorded === 'recorded' ? outcome.type : recorded });
  }

  /** An outage concerns every mail: one entry a second tells of it. */
  private warn(error: Error): void {
    if (Date.now() - this.warnedAt < 1_000) return;
    this.warnedAt = Date.now();
    this.log.warn({ err: error }, 'mail that came back could not be recorded; it has to come again');
  }
}
