import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { JobKind, JobLane } from '@heliograph/contracts';
import { isTestId, newId, retryWhileUnavailable } from '@heliograph/database';
import { UnreadableKeyError } from '@heliograph/email-catalog';
import { CONFIG, LOGGER, METRICS, Tracing, type Logger } from '@heliograph/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { EmailApiConfig } from '../email-api.config';
import { AttemptsRepository, type AttemptRecord } from './attempts.repository';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { suppressAfterDays } from '../events/event-policy';
import { RecipientEvents } from '../events/recipient-events';
import { CampaignStops } from './campaign-stops';
import { Leases } from './leases';
import { MailComposer, type PreparedSend } from './mail-composer';
import { holdDelayMs, retryDelayMs } from './retry-schedule';
import { MAX_COPIES, type DueRecipient, type SentMessage } from './sent-message';
import { simulatedEventsOf } from './test-mode/simulated-events';
import { SmtpBackend, type SubmissionOutcome } from './smtp/smtp-backend';

/** Short, so that after a database outage the outcome is recorded before another process claims the send. */
const RECORD_RETRY_MS = 100;
const HOUR_MS = 60 * 60_000;
/** Precedes the cause in reports of a submission without a response. */
const UNCERTAIN =
  'The result is uncertain, because the mail server did not confirm the mail; it may have been delivered: ';

export interface DeliveryOptions {
  /**
   * If true, each mail is marked as possibly sent before its content is transmitted. False if the mark was stored with
   * the send.
   */
  marks: boolean;
  /** The kinds share the connections by weight. */
  kind: JobKind;
  /**
   * Whether the recipients are a slice of the send. Slices of an organization are delivered one after the other, so that
   * each of them ends early.
   */
  isSlice: boolean;
  /** The campaign of the send. When it is paused or canceled, mails that have not been transmitted are withdrawn. */
  campaignId?: string | null;
  /** The span of the job. Default: that of the request that the process is answering. */
  traceparent?: string | undefined;
  /** When the signal is aborted, mails that wait for a connection are withdrawn and sent in the background. */
  signal?: AbortSignal;
}

/** The recorded outcome of the attempt for one recipient. */
export interface DeliveryResult {
  outcome: AttemptRecord['outcome'];
  error: string | null;
  /** The mail server did not confirm a copy that it may have accepted. */
  mayBeSent: boolean;
}

/**
 * Submits the mails of a send to the backend and records the outcomes. A refused mail is refunded, a deferred mail is
 * retried for hours, and a mail without a response is retried at most once.
 */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly inProgress = new Set<Promise<DeliveryResult>>();
  private readonly attempts: Counter;
  private readonly stopping = new AbortController();

  constructor(
    private readonly backend: SmtpBackend,
    private readonly composer: MailComposer,
    private readonly repository: AttemptsRepository,
    private readonly leases: Leases,
    private readonly stops: CampaignStops,
    private readonly tokens: RecipientTokens,
    private readonly events: RecipientEvents,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.attempts = new Counter({
      name: 'email_attempts_total',
      help: 'Submission attempts by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** Returns one promise per recipient, in order. They reject only on shutdown. */
  deliver(sent: SentMessage, recipients: DueRecipient[], options: DeliveryOptions): Promise<DeliveryResult>[] {
    let preparing: Promise<PreparedSend> | undefined;
    const prepared = (): Promise<PreparedSend> => (preparing ??= this.composer.prepare(sent));
    this.leases.hold(sent.id);
    const deliveries = recipients.map((recipient) => this.deliverTo(sent, recipient, prepared, options));
    for (const delivery of deliveries) {
      this.inProgress.add(delivery);
      const forget = (): boolean => this.inProgress.delete(delivery);
      delivery.then(forget, forget);
    }
    void Promise.allSettled(deliveries).then(() => this.leases.release(sent.id));
    return deliveries;
  }

  /** Whether the process withdraws all mails, because it stops. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Waits for mails in progress, withdraws the others and waits until all outcomes are recorded. */
  async onModuleDestroy(): Promise<void> {
    this.backend.stop();
    this.stopping.abort();
    await Promise.allSettled(this.inProgress);
    await this.repository.drain();
  }

  private async deliverTo(
    sent: SentMessage,
    recipient: DueRecipient,
    prepared: () => Promise<PreparedSend>,
    { marks, kind, isSlice, campaignId = null, traceparent, signal }: DeliveryOptions,
  ): Promise<DeliveryResult> {
    let { copies } = recipient;
    let mayBegin = true;
    const lane = { kind, organizationId: sent.organizationId };
    const span = this.tracing.start('submit mail', {
      kind: 'client',
      parent: traceparent ?? this.tracing.ofRequest(sent.organizationId, sent.correlationId),
      attributes: { 'heliograph.message_id': sent.id },
    });
    const submitted = await this.backend.submit({
      lane: [kind, sent.organizationId ?? '', domainOf(recipient.address), isSlice ? '' : sent.id],
      isWithdrawn: campaignId === null ? null : () => this.stops.isStopped(campaignId),
      compose: async () => (await prepared()).mailTo(recipient),
      beforeData: marks
        ? async () => {
            mayBegin = await this.repository.beginData(sent.id, recipient.position, lane);
            if (!mayBegin) throw new Error('the mail must not be transmitted');
            copies++;
          }
        : null,
      signal,
    });
    const outcome: SubmissionOutcome = mayBegin ? submitted : { kind: 'withdrawn' };
    span?.end({ 'heliograph.outcome': outcome.kind }, outcome.kind === 'accepted' ? undefined : outcome.kind);
    // If the mark was stored with the send, `copies` already includes this attempt.
    const earlier = marks ? recipient.copies : Math.max(0, recipient.copies - 1);
    const attempt = this.recordOf(sent, recipient, outcome, earlier, Math.max(copies, earlier));
    // A mail of a campaign that was not attempted waits again, and uses up no attempt.
    const isReleased = outcome.kind === 'withdrawn' && campaignId !== null;
    const record: AttemptRecord = isReleased ? { ...attempt, outcome: 'released' } : attempt;
    this.attempts.inc({ outcome: outcome.kind });
    await this.record(record, lane);
    if (record.outcome === 'sent' && isTest(sent)) await this.simulateEvents(sent, recipient);
    return { outcome: record.outcome, error: record.error, mayBeSent: record.outcome === 'uncertain' };
  }

  /** Records what happens to an accepted mail of a test organization, as the reports of mail servers are recorded. */
  private async simulateEvents({ id: messageId }: SentMessage, { position, address }: DueRecipient): Promise<void> {
    for (const event of simulatedEventsOf(address)) {
      const occurredAt = new Date();
      await retryWhileUnavailable(() => this.events.record({ ...event, messageId, position, occurredAt }), {
        delayMs: RECORD_RETRY_MS,
        signal: this.stopping.signal,
      });
    }
  }

  /**
   * `earlier` is the number of copies that may have been sent before this attempt, `now` the number after this attempt
   * if it received no response.
   */
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
      suppress_after_days: null,
      next_try_at: null,
      error: null,
      copies: earlier,
      at: new Date().toISOString(),
      mail_token: this.tokens.mailTokenOf({ messageId: sent.id, position: recipient.position }),
    };
    switch (outcome.kind) {
      case 'accepted':
        return { ...base, outcome: 'sent' };
      case 'refused':
        return {
          ...base,
          outcome: 'refused',
          error: outcome.reason,
          suppresses: outcome.suppresses,
          suppress_after_days: suppressAfterDays(outcome.deadDomain),
        };
      case 'withdrawn':
        return { ...base, outcome: 'deferred', next_try_at: base.at };
      case 'broken':
        this.log.error({ err: outcome.error, ...messageFields(sent) }, 'failed to compose a mail');
        return this.hold(base, recipient, outcome.error);
      case 'deferred':
        return this.retry(
          { ...base, suppress_after_days: suppressAfterDays(outcome.deadDomain ?? false) },
          recipient,
          outcome.reason,
        );
      case 'uncertain':
        this.log.warn({ ...messageFields(sent), reason: outcome.reason }, 'a submission received no response');
        if (now >= MAX_COPIES) return { ...base, outcome: 'sent', copies: now, error: UNCERTAIN + outcome.reason };
        return this.retryUncertain(base, recipient, { reason: UNCERTAIN + outcome.reason, copies: now });
    }
  }

  /** Nothing was submitted: the mail waits, and fails with a refund if the reason lasts for hours. */
  private hold(base: Omit<AttemptRecord, 'outcome'>, recipient: DueRecipient, cause: unknown): AttemptRecord {
    const reason =
      cause instanceof UnreadableKeyError
        ? 'The mail cannot be signed, because the service cannot decrypt the DKIM key of the domain.'
        : 'The mail could not be composed.';
    const triedMs = triedMsOf(recipient);
    if (this.isOver(triedMs)) return { ...base, outcome: 'refused', error: reason };
    return { ...base, outcome: 'held', error: reason, next_try_at: afterMs(holdDelayMs(triedMs)) };
  }

  private retryUncertain(
    base: Omit<AttemptRecord, 'outcome'>,
    recipient: DueRecipient,
    { reason, copies }: { reason: string; copies: number },
  ): AttemptRecord {
    const record = this.retry({ ...base, copies }, recipient, reason);
    return record.outcome === 'deferred' ? { ...record, outcome: 'uncertain' } : record;
  }

  private isOver(triedMs: number): boolean {
    return triedMs > this.config.EMAIL_RETRY_HOURS * HOUR_MS;
  }

  private retry(base: Omit<AttemptRecord, 'outcome'>, recipient: DueRecipient, reason: string): AttemptRecord {
    if (this.isOver(triedMsOf(recipient))) return { ...base, outcome: 'refused', error: reason };
    const next = afterMs(retryDelayMs(recipient.attempts + 1));
    return { ...base, outcome: 'deferred', error: reason, next_try_at: next };
  }

  /**
   * The outcome must not be lost while the database is unavailable: the write is retried until it succeeds. If the
   * process crashes first, the attempt counts as an attempt without a response.
   */
  private record(record: AttemptRecord, lane: JobLane): Promise<void> {
    return retryWhileUnavailable(() => this.repository.record(record, lane), {
      delayMs: RECORD_RETRY_MS,
      signal: this.stopping.signal,
    });
  }
}

function isTest({ organizationId }: SentMessage): boolean {
  return organizationId !== null && isTestId(organizationId);
}

/** The ids by which a mail is found in the logs of all services. */
function messageFields({ id: messageId, correlationId: requestId, organizationId, workspaceId }: SentMessage): object {
  return { messageId, requestId, organizationId, workspaceId };
}

/** The domain of an address, in lower case. */
function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function triedMsOf({ firstTriedAt }: DueRecipient): number {
  return firstTriedAt === null ? 0 : Date.now() - new Date(firstTriedAt).getTime();
}

function afterMs(delayMs: number): string {
  return new Date(Date.now() + delayMs).toISOString();
}
