import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { selfSignedCertificate, type SelfSigned } from '@heliograph/secrets';
import { CONFIG, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { EmailApiConfig } from '../email-api.config';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { outcomeOf } from './notifications/notified-outcome';
import { readNotification, type Notification } from './notifications/read-notification';
import { ReturnListener, type ReturnIntake } from './return-listener';
import { isReportMailbox, refOfAddress, refOfComplaint } from './identify-recipient';

const LIMITS = {
  // A bounce may contain the complete original.
  maxBytes: 30 * 1024 * 1024,
  maxClients: 100,
  maxRecipients: 10,
  idleTimeoutMs: 60_000,
  connectionMs: 10 * 60_000,
} as const;

/** Converts returned mail into recipient events. Mail without a usable notification is accepted and discarded. */
@Injectable()
export class ReturnsService implements ReturnIntake, OnModuleInit, OnModuleDestroy {
  /** Port of the listener; null if it is disabled. */
  port: number | null = null;
  private listener: ReturnListener | null = null;
  private readonly returned: Counter<'outcome'>;
  private warnedAt = 0;

  constructor(
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    private readonly tokens: RecipientTokens,
    private readonly events: RecipientEvents,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.returned = new Counter({
      name: 'email_returns_total',
      help: 'Returned mails by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  async onModuleInit(): Promise<void> {
    const { EMAIL_RETURN_PORT, EMAIL_RETURN_HOST, EMAIL_RETURN_PATH_DOMAIN, ROLE } = this.config;
    if (EMAIL_RETURN_PORT === undefined || ROLE === 'api') return;
    const name = EMAIL_RETURN_PATH_DOMAIN;
    const options = { host: EMAIL_RETURN_HOST, port: EMAIL_RETURN_PORT, name, tls: this.tlsFor(name), ...LIMITS };
    this.listener = new ReturnListener(options, this, (error) => this.warn(error));
    this.port = await this.listener.listen();
    this.log.info({ port: this.port }, 'listening for returned mail');
  }

  async onModuleDestroy(): Promise<void> {
    await this.listener?.close();
  }

  isKnownRecipient(recipient: string): boolean {
    return refOfAddress(this.tokens, recipient) !== null || isReportMailbox(recipient);
  }

  /** Resolves after the commit. Rejects if the database is unavailable; the client then retries. */
  async receive(raw: Buffer, recipients: string[]): Promise<void> {
    const notification = readNotification(raw);
    if (!notification) {
      this.returned.inc({ outcome: 'ignored' });
      return;
    }
    const refs = recipients.flatMap((recipient) => this.refOf(recipient, notification) ?? []);
    if (refs.length === 0) this.returned.inc({ outcome: 'unknown' });
    await Promise.all(refs.map((ref) => this.record(ref, notification)));
  }

  /** Servers that return mail encrypt without verifying the certificate (RFC 7435), so a self-signed one is the default. */
  private tlsFor(hostName: string): SelfSigned {
    const { EMAIL_RETURN_TLS_KEY: key, EMAIL_RETURN_TLS_CERTIFICATE: cert } = this.config;
    return key !== undefined && cert !== undefined ? { key, cert } : selfSignedCertificate(hostName);
  }

  /** The recipient-specific address takes precedence over the content of the report. */
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

  /** Logs at most one warning per second during an outage. */
  private warn(error: Error): void {
    if (Date.now() - this.warnedAt < 1_000) return;
    this.warnedAt = Date.now();
    this.log.warn({ err: error }, 'failed to record returned mail; the client will retry');
  }
}
