import { BeforeApplicationShutdown, Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { smsQueued, type EventOf } from '@heliograph/contracts';
import { retryWhileUnavailable } from '@heliograph/database';
import { Consumes, eventFields, TryAgainLater } from '@heliograph/messaging';
import { LOGGER, Tracing, type Logger } from '@heliograph/service-kit';
import { CARRIERS, type CarrierPool, type RoutedCarrier } from '../carriers/carrier-pool';
import type { PartAnswers, SubmitOutcome } from '../carriers/carrier';
import { describeStatus } from '../carriers/smpp/command-status';
import { ReceiptsService } from '../receipts/receipts.service';
import { SEND_QUEUE, SINGLE_QUEUE } from './send-queue';
import { SubmitsRepository, type ClaimedMessage, type SubmitAttempt, type SubmitRecord } from './submits.repository';

/** Maximum time a message waits for a slot before it is requeued. */
const SLOT_TIMEOUT_MS = 5_000;
const UNBOUND_RETRY_MS = 2_000;
const THROTTLE_RETRY_MS = 1_000;
const UNRESOLVED_RETRY_MS = 3_000;
const RECORD_RETRY_MS = 500;

/**
 * Submits messages to carriers. A message is claimed before its submit, so that a duplicate event does not submit it
 * twice. A submit with an unknown outcome follows the policy of its carrier: it is resubmitted up to a limit and then
 * given up, or held as sent.
 */
@Injectable()
export class SubmitService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(CARRIERS) private readonly carriers: CarrierPool,
    private readonly repository: SubmitsRepository,
    private readonly receipts: ReceiptsService,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    this.carriers.start((receipt) => this.receipts.record(receipt));
  }

  /** Disconnects from the carriers after the consumer has stopped, and waits for receipts in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.carriers.stop();
    await this.repository.drain();
    await this.receipts.drain();
  }

  /** Submits one message unless it is already final. Throws TryAgainLater if it must wait. */
  @Consumes(smsQueued, { queue: SEND_QUEUE, concurrency: 'SMS_SEND_CONCURRENCY' })
  @Consumes(smsQueued, { queue: SINGLE_QUEUE, concurrency: 'SMS_SEND_CONCURRENCY' })
  async submit(event: EventOf<typeof smsQueued>): Promise<void> {
    const { organizationId, data } = event;
    const { messageId, country, segments, kind } = data;
    const lane = { kind, organizationId };
    const carrier = await this.carriers.acquire(country, lane, SLOT_TIMEOUT_MS);
    if (!carrier) throw new TryAgainLater(jittered(UNBOUND_RETRY_MS), `no carrier for ${country} has a free slot`);
    let submitted = false;
    try {
      const claim = await this.repository.claim(messageId, carrier.claimLeaseMs(segments), lane);
      if (claim.outcome === 'over') return;
      if (claim.outcome === 'busy')
        throw new TryAgainLater(claim.busy_ms + jittered(500), 'another worker has claimed the message');
      if (claim.submits > 1 && (await this.resolvedByPolicy(carrier, claim))) return;
      submitted = true;
      const span = this.tracing.start('submit_sm', {
        kind: 'client',
        parent: event.traceparent,
        attributes: { 'heliograph.carrier': carrier.name, 'heliograph.message_id': messageId },
      });
      const outcome = await carrier.submit(toOutbound(claim));
      span?.end({ 'heliograph.outcome': outcome.kind }, outcome.kind === 'accepted' ? undefined : outcome.kind);
      if (outcome.kind === 'uncertain')
        this.log.warn(
          { ...eventFields(event), carrier: carrier.name, reason: outcome.reason },
          'a submit received no response',
        );
      await this.conclude(carrier, claim, outcome);
    } finally {
      if (!submitted) carrier.release();
    }
  }

  /** Applies the policy after a submit without a response. Returns true if the message must not be resubmitted. */
  private async resolvedByPolicy(
    carrier: RoutedCarrier,
    message: ClaimedMessage,
    answers: PartAnswers = { upstreamIds: [] },
  ): Promise<boolean> {
    const { policy, maxSubmits } = carrier.uncertain;
    if (policy === 'hold') {
      const error = 'The carrier did not respond; it may have accepted the message.';
      await this.fail(carrier, message, 'held', error, answers);
      return true;
    }
    if (message.submits <= maxSubmits) return false;
    const error = `The carrier did not respond to ${maxSubmits} submits; it may have accepted the message, so the credits are not refunded.`;
    await this.fail(carrier, message, 'given_up', error, answers);
    return true;
  }

  private async conclude(carrier: RoutedCarrier, message: ClaimedMessage, outcome: SubmitOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'accepted': {
        const throttled = throttledAttempts(carrier, outcome);
        return this.record(message, 'sent', {
          carrier: carrier.name,
          upstream_ids: outcome.upstreamIds,
          attempts: throttled.length > 0 ? throttled : null,
        });
      }
      case 'refused':
        return this.fail(carrier, message, 'refused', outcome.reason, outcome);
      case 'throttled':
        await this.record(message, 'released', {
          attempts: [throttledAttempt(carrier, { at: new Date(), commandStatus: outcome.commandStatus })],
        });
        throw new TryAgainLater(jittered(THROTTLE_RETRY_MS), 'the carrier throttled the message');
      case 'unbound':
        await this.record(message, 'released', {});
        throw new TryAgainLater(jittered(UNBOUND_RETRY_MS), 'the bind was lost before the message was sent');
      case 'uncertain': {
        if (await this.resolvedByPolicy(carrier, { ...message, submits: message.submits + 1 }, outcome)) return;
        await this.fail(carrier, message, 'unresolved', outcome.reason, outcome);
        throw new TryAgainLater(jittered(UNRESOLVED_RETRY_MS), outcome.reason);
      }
    }
  }

  /** Records a submit that the carrier did not accept, after the throttled submits of its parts. */
  private async fail(
    carrier: RoutedCarrier,
    message: ClaimedMessage,
    outcome: Exclude<SubmitAttempt['outcome'], 'throttled'>,
    error: string,
    answers: PartAnswers,
  ): Promise<void> {
    const attempt: SubmitAttempt = { at: new Date().toISOString(), upstream: carrier.name, outcome, error };
    if (answers.upstreamIds.length > 0) attempt.upstream_ids = answers.upstreamIds;
    await this.record(message, outcome, {
      carrier: outcome === 'unresolved' ? null : carrier.name,
      error,
      attempts: [...throttledAttempts(carrier, answers), attempt],
    });
  }

  /**
   * The outcome must not be lost while the database is unavailable: the write is retried until it succeeds. If the
   * process crashes first, the claim expires and the submit counts as unresolved.
   */
  private async record(
    message: ClaimedMessage,
    outcome: SubmitRecord['outcome'],
    { carrier = null, upstream_ids = [], error = null, attempts = null }: Partial<SubmitRecord>,
  ): Promise<void> {
    const record: SubmitRecord = {
      id: message.id,
      outcome,
      carrier,
      upstream_ids,
      error,
      at: new Date().toISOString(),
      attempts,
    };
    await retryWhileUnavailable(() => this.repository.record(record, message.lane), {
      delayMs: RECORD_RETRY_MS,
      signal: this.stopping.signal,
    });
  }
}

function throttledAttempts(carrier: RoutedCarrier, { throttledParts = [] }: PartAnswers): SubmitAttempt[] {
  return throttledParts.map((part) => throttledAttempt(carrier, part));
}

function throttledAttempt(
  carrier: RoutedCarrier,
  { at, commandStatus, part }: { at: Date; commandStatus: number; part?: number },
): SubmitAttempt {
  const attempt: SubmitAttempt = {
    at: at.toISOString(),
    upstream: carrier.name,
    outcome: 'throttled',
    error: `The carrier throttled the submit: ${describeStatus(commandStatus)}.`,
  };
  return part === undefined ? attempt : { ...attempt, part };
}

function toOutbound(message: ClaimedMessage): Parameters<RoutedCarrier['submit']>[0] {
  return {
    messageId: message.id,
    source: message.header,
    destination: message.recipient.replace(/^\+/, ''),
    body: message.body,
    encoding: message.encoding,
    flash: message.flash,
    dltEntityId: message.dlt_entity_id,
    dltTemplateId: message.dlt_template_id,
  };
}

/** Adds up to 50 % of jitter, so that retries are spread over time. */
function jittered(ms: number): number {
  return Math.round(ms * (1 + Math.random() / 2));
}
