import { Inject, Injectable } from '@nestjs/common';
import { isDependencyFailure } from '@heliograph/errors';
import { TryAgainLater } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { CARRIERS, type CarrierPool, type RoutedCarrier } from '../carriers/carrier-pool';
import type { SubmitOutcome } from '../carriers/carrier';
import { ReceiptsService } from '../receipts/receipts.service';
import { SubmitsRepository, type ClaimedMessage, type SubmitRecord } from './submits.repository';

/** How long a message waits for a bind or for the window before it makes room for another. */
const SLOT_TIMEOUT_MS = 5_000;
const UNBOUND_RETRY_MS = 2_000;
const THROTTLE_RETRY_MS = 1_000;
const UNRESOLVED_RETRY_MS = 3_000;
const RECORD_RETRY_MS = 500;

/** What the event says of a message that is due. */
export interface DueMessage {
  messageId: string;
  country: string;
  segments: number;
}

/**
 * Hands messages to a carrier. A message is claimed before it leaves, so that an event which comes twice submits
 * once. A submit that nobody knows the end of follows the policy of its carrier: submitted again up to a number of
 * times and then given up, or held as sent.
 */
@Injectable()
export class SubmitService {
  private stopping = false;

  constructor(
    @Inject(CARRIERS) private readonly carriers: CarrierPool,
    @Inject(SubmitsRepository) private readonly repository: SubmitsRepository,
    @Inject(ReceiptsService) private readonly receipts: ReceiptsService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    this.carriers.start((receipt) => this.receipts.record(receipt));
  }

  /** Lets submits and receipts under way finish, then leaves the carriers. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.carriers.stop();
    await this.repository.drain();
    await this.receipts.drain();
  }

  /** Submits one message, unless it is over. Throws TryAgainLater when it has to wait. */
  async submit({ messageId, country, segments }: DueMessage): Promise<void> {
    const carrier = await this.carriers.acquire(country, SLOT_TIMEOUT_MS);
    if (!carrier) throw new TryAgainLater(jittered(UNBOUND_RETRY_MS), `no carrier for ${country} takes messages now`);
    let submitted = false;
    try {
      const claim = await this.repository.claim(messageId, carrier.claimLeaseMs(segments));
      if (claim.outcome === 'over') return;
      if (claim.outcome === 'busy')
        throw new TryAgainLater(claim.busy_ms + jittered(500), 'another worker has the message');
      if (claim.submits > 1 && (await this.settledByPolicy(carrier, claim))) return;
      submitted = true;
      const outcome = await carrier.submit(toOutbound(claim));
      await this.conclude(carrier, claim, outcome);
    } finally {
      if (!submitted) carrier.release();
    }
  }

  /** An earlier submit ended without a word. True when the message is not to be submitted once more. */
  private async settledByPolicy(carrier: RoutedCarrier, message: ClaimedMessage): Promise<boolean> {
    const { policy, maxSubmits } = carrier.uncertain;
    if (policy === 'hold') {
      await this.record(carrier, message, 'held', 'The carrier did not answer: it may have the message.');
      return true;
    }
    if (message.submits <= maxSubmits) return false;
    await this.record(
      carrier,
      message,
      'given_up',
      `The carrier did not answer ${maxSubmits} submits: it may have the message, so the credits are not returned.`,
    );
    return true;
  }

  private async conclude(carrier: RoutedCarrier, message: ClaimedMessage, outcome: SubmitOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'accepted':
        return this.record(carrier, message, 'sent', null, outcome.upstreamIds);
      case 'refused':
        return this.record(carrier, message, 'refused', `The carrier refused the message: ${outcome.reason}`);
      case 'throttled':
        await this.record(carrier, message, 'released', null);
        throw new TryAgainLater(jittered(THROTTLE_RETRY_MS), 'the carrier throttles');
      case 'unbound':
        await this.record(carrier, message, 'released', null);
        throw new TryAgainLater(jittered(UNBOUND_RETRY_MS), 'the bind was lost before the message left');
      case 'uncertain': {
        this.log.warn(
          { messageId: message.id, carrier: carrier.name, reason: outcome.reason },
          'a submit ended without an answer',
        );
        if (await this.settledByPolicy(carrier, { ...message, submits: message.submits + 1 })) return;
        await this.record(carrier, message, 'unresolved', outcome.reason);
        throw new TryAgainLater(jittered(UNRESOLVED_RETRY_MS), outcome.reason);
      }
    }
  }

  /**
   * What the carrier said must not be lost to a database that is away: it is written as soon as it is back. A
   * process that dies before leaves the claim to run out, which is an unresolved submit.
   */
  private async record(
    carrier: RoutedCarrier,
    message: ClaimedMessage,
    outcome: SubmitRecord['outcome'],
    error: string | null,
    upstreamIds: string[] = [],
  ): Promise<void> {
    const left = outcome === 'released' || outcome === 'unresolved' ? null : carrier.name;
    const record: SubmitRecord = {
      id: message.id,
      outcome,
      carrier: left,
      upstream_ids: upstreamIds,
      error,
      at: new Date().toISOString(),
    };
    for (;;) {
      try {
        await this.repository.record(record);
        return;
      } catch (failure) {
        if (!isDependencyFailure(failure) || this.stopping) throw failure;
        await delay(jittered(RECORD_RETRY_MS));
      }
    }
  }
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

/** Spreads what would come back all at once: between the time and one and a half times it. */
function jittered(ms: number): number {
  return Math.round(ms * (1 + Math.random() / 2));
}
