import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { isDependencyFailure } from '@heliograph/errors';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { Counter, type Registry } from 'prom-client';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { AttemptsRepository, type AttemptRecord } from './attempts.repository';
import { Leases } from './leases';
import { MailComposer, type PreparedSend } from './mail-composer';
import { retryDelayMs } from './retry-schedule';
import type { DueRecipient, SentMessage } from './sent-message';
import { SmtpBackend, type SubmissionOutcome } from './smtp/smtp-backend';

/** More than this may not be out with no answer to say so. */
const MAX_COPIES = 2;
/** Soon: when the database is back, whoever works on a send is to be there before those that look for orphans. */
const RECORD_RETRY_MS = 100;
const HOUR_MS = 60 * 60_000;

export interface DeliveryOptions {
  /**
   * Whether each mail is marked as possibly out before its content leaves. Not needed where that was stored with the
   * send itself.
   */
  marks: boolean;
  /** Once aborted, whoever still waits for a connection is left to the background. */
  signal: AbortSignal;
}

/** How the attempt for one recipient ended, as it was recorded. */
export interface DeliveryResult {
  outcome: AttemptRecord['outcome'];
  error: string | null;
}

/**
 * Hands the mails of a send to the backend and records what comes of each. A recipient is refunded for what the
 * backend refuses, tried again for hours where it defers, and after an answer that never came tried once more, never
 * twice.
 */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly underWay = new Set<Promise<DeliveryResult>>();
  private readonly attempts: Counter;
  private stopping = false;

  constructor(
    @Inject(SmtpBackend) private readonly backend: SmtpBackend,
    @Inject(MailComposer) private readonly composer: MailComposer,
    @Inject(AttemptsRepository) private readonly repository: AttemptsRepository,
    @Inject(Leases) private readonly leases: Leases,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.attempts = new Counter({
      name: 'email_attempts_total',
      help: 'Mails handed to the backend, by how it ended',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** One promise for each recipient, in their order; none rejects unless the process stops. */
  deliver(sent: SentMessage, recipients: DueRecipient[], options: DeliveryOptions): Promise<DeliveryResult>[] {
    let preparing: Promise<PreparedSend> | undefined;
    const prepared = (): Promise<PreparedSend> => (preparing ??= this.composer.prepare(sent));
    this.leases.hold(sent.id);
    const deliveries = recipients.map((recipient) => this.deliverTo(sent, recipient, prepared, options));
    for (const delivery of deliveries) {
      this.underWay.add(delivery);
      const forget = (): boolean => this.underWay.delete(delivery);
      delivery.then(forget, forget);
    }
    void Promise.allSettled(deliveries).then(() => this.leases.letGo(sent.id));
    return deliveries;
  }

  /** Lets the mails under way end, gives the others back, and waits until all of it is recorded. */
  async onModuleDestroy(): Promise<void> {
    this.backend.stop();
    this.stopping = true;
    await Promise.allSettled(this.underWay);
    await this.repository.drain();
  }

  private async deliverTo(
    sent: SentMessage,
    recipient: DueRecipient,
    prepared: () => Promise<PreparedSend>,
    { marks, signal }: DeliveryOptions,
  ): Promise<DeliveryResult> {
    let { copies } = recipient;
    const outcome = await this.backend.submit({
      tenant: sent.workspaceId ?? '',
      send: sent.id,
      compose: async () => (await prepared()).mailTo(recipient),
      beforeData: marks
        ? async () => {
            await this.repository.markData(sent.id, recipient.position);
            copies++;
          }
        : null,
      signal,
    });
    // One that was marked with the send itself has begun with a copy, as one marked since has.
    const earlier = marks ? recipient.copies : Math.max(0, recipient.copies - 1);
    const record = this.recordOf(sent, recipient, outcome, earlier, Math.max(copies, earlier));
    this.attempts.inc({ outcome: outcome.kind });
    await this.record(record);
    return { outcome: record.outcome, error: record.error };
  }

  /** `earlier`: copies that may have been out before this attempt; `now`: after it, if it left no word. */
  private recordOf(
    sent: SentMessage,
    recipient: DueRecipient,
    outcome: SubmissionOutcome,
    earlier: number,
    now: number,
  ): AttemptRecord {
    const base = {
      message_id: sent.id,
      position: recipient.position,
      event_id: newId(),
      suppresses: false,
      next_try_at: null,
      error: null,
      copies: earlier,
      at: new Date().toISOString(),
    };
    switch (outcome.kind) {
      case 'accepted':
        return { ...base, outcome: 'sent' };
      case 'refused':
        return { ...base, outcome: 'refused', error: outcome.reason, suppresses: outcome.suppresses };
      case 'withdrawn':
        return { ...base, outcome: 'deferred', next_try_at: base.at };
      case 'broken':
        this.log.error({ err: outcome.error, messageId: sent.id }, 'a mail could not be made');
        return this.again(base, recipient, 'The mail could not be made.');
      case 'deferred':
        return this.again(base, recipient, outcome.reason);
      case 'uncertain':
        this.log.warn({ messageId: sent.id, reason: outcome.reason }, 'a submission ended without an answer');
        if (now >= MAX_COPIES) return { ...base, outcome: 'sent', copies: now, error: outcome.reason };
        return { ...this.again(base, recipient, outcome.reason), copies: now };
    }
  }

  private again(base: Omit<AttemptRecord, 'outcome'>, recipient: DueRecipient, reason: string): AttemptRecord {
    const triedMs = recipient.firstTriedAt === null ? 0 : Date.now() - new Date(recipient.firstTriedAt).getTime();
    if (triedMs > this.settings.EMAIL_RETRY_HOURS * HOUR_MS) return { ...base, outcome: 'refused', error: reason };
    const next = new Date(Date.now() + retryDelayMs(recipient.attempts + 1));
    return { ...base, outcome: 'deferred', error: reason, next_try_at: next.toISOString() };
  }

  /**
   * What the backend said must not be lost to a database that is away: it is written as soon as it is back. A process
   * that dies before leaves an attempt without an answer.
   */
  private async record(record: AttemptRecord): Promise<void> {
    for (;;) {
      try {
        await this.repository.record(record);
        return;
      } catch (error) {
        if (!isDependencyFailure(error) || this.stopping) throw error;
        await delay(RECORD_RETRY_MS);
      }
    }
  }
}
