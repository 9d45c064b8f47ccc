import type { JobLane } from '@heliograph/contracts';
import { randomInt } from 'node:crypto';
import type { LaneWeights } from '@heliograph/fairness';
import type { PduFields } from 'smpp';
import type { Carrier, OutboundSms, PartAnswers, ReceiptSink, SubmitOutcome } from '../carrier';
import type { CarrierLogger } from '../carrier-logger';
import type { SmppCarrierConfig } from '../carrier-config';
import { BindPool } from './bind-pool';
import { describeStatus, STATUS_INVALID_MESSAGE_LENGTH, STATUS_OK } from './command-status';
import { newCarrierMetrics, type CarrierMetrics } from './metrics';
import { NOT_SENT, type Answer } from './pending-requests';
import { ReceiptIntake } from './receipts/receipt-intake';
import { SlotWaiters } from './pacing/slot-waiters';
import type { SmppBind } from './smpp-bind';
import { buildSubmitParts } from './submit-parts';
import { SubmitPacing } from './pacing/submit-pacing';
import { throttlePauseMs } from './pacing/throttle-pause';
import { ReceiptIds, type IdConversion } from './receipts/receipt-ids';
import type { ReceiptIdNotation } from './receipts/upstream-id';

/** Interval for checking the timeouts of waiting `acquire` calls, in milliseconds. */
const WAITERS_TICK_MS = 50;
/** Polling interval of `stop` while it waits for outstanding submits. */
const DRAIN_TICK_MS = 10;

/**
 * An SMPP 3.4 carrier with a pool of transceiver binds, or of pairs of a transmitter and a receiver.
 *
 * A slot represents one outstanding submit PDU: the parts of a message are submitted sequentially over one bind and
 * share a slot. For a message of several parts, the first part decides between `accepted`, `refused`, `throttled` and
 * `unbound`. A later part that is throttled is retried until the response timeout has passed, then the message is
 * `uncertain`. A later part that is refused makes the message `refused`, because handsets do not display incomplete
 * messages.
 */
export class SmppCarrier implements Carrier {
  readonly name: string;
  readonly metrics: Readonly<CarrierMetrics>;
  private readonly counters: CarrierMetrics = newCarrierMetrics();
  private readonly binds: BindPool;
  private readonly pacing: SubmitPacing;
  private readonly waiters: SlotWaiters;
  private readonly retryStatuses: ReadonlySet<number>;
  private readonly ids: ReceiptIds;
  private readonly receipts: ReceiptIntake;
  private used = 0;
  private reference = randomInt(0x10000);
  private stopping = false;
  private pumpTimer: NodeJS.Timeout | null = null;
  private pumpAtMs = 0;

  constructor(
    private readonly config: SmppCarrierConfig,
    private readonly logger: CarrierLogger,
    weights: LaneWeights = {},
  ) {
    this.name = config.name;
    this.waiters = new SlotWaiters(weights);
    this.metrics = this.counters;
    this.retryStatuses = new Set(config.retryStatuses);
    this.pacing = new SubmitPacing(config.throughputPerSecond, performance.now());
    this.ids = new ReceiptIds(config.receiptIdNotation, (notation) =>
      logger.info({ carrier: config.name, notation }, 'detected the notation of receipt ids'),
    );
    this.receipts = new ReceiptIntake(config, this.ids, this.counters, logger);
    this.binds = new BindPool(config, this.counters, logger, {
      up: () => this.pump(),
      delivered: (pdu, reply) => this.receipts.receive(pdu, reply),
    });
  }

  get bound(): boolean {
    return this.bindsUp > 0;
  }

  /** Number of submitting binds that are up; at most `config.binds`. */
  get bindsUp(): number {
    return this.binds.submittersUp;
  }

  /** Number of receiving binds that are up; at most `config.binds`. */
  get receiversUp(): number {
    return this.binds.receiversUp;
  }

  /** Reason why binds are down or refused by the carrier; null if there is no problem. */
  get problem(): string | null {
    return this.binds.problem;
  }

  /** Submits per second that the carrier is assumed to accept. */
  get submitRate(): number {
    return this.pacing.perSecond;
  }

  /** Upper bound for the duration of a submit, in milliseconds. */
  get longestSubmitMs(): number {
    return 2 * this.config.responseTimeoutMs + this.config.multipartTimeoutMs;
  }

  get window(): { used: number; size: number } {
    return { used: this.used, size: this.bindsUp * this.config.windowSize };
  }

  /** Notation of receipt ids that a process stored before it had detected the notation. */
  get storedReceiptIdNotation(): ReceiptIdNotation {
    return this.ids.storedNotation;
  }

  /** Receipts that this process stored before the notation of receipt ids was known. */
  get receiptIdConversions(): IdConversion[] {
    return this.ids.conversions(performance.now());
  }

  start(onReceipt: ReceiptSink): void {
    this.receipts.sink = onReceipt;
    this.binds.start();
  }

  async acquire(lane: JobLane, timeoutMs: number): Promise<boolean> {
    if (this.stopping) return false;
    const nowMs = performance.now();
    if (this.waiters.size === 0 && this.waitMs(nowMs) === 0) {
      this.occupySlot(nowMs);
      return true;
    }
    if (timeoutMs <= 0) return false;
    const granted = this.waiters.wait(lane, nowMs + timeoutMs);
    this.pump();
    return granted;
  }

  release(): void {
    this.pacing.refund();
    this.releaseSlot();
  }

  async submit(message: OutboundSms): Promise<SubmitOutcome> {
    const outcome = await this.transmit(message);
    this.counters.submits[outcome.kind] += 1;
    this.releaseSlot();
    return outcome;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.waiters.expire(Infinity);
    const deadlineMs = performance.now() + this.config.stopTimeoutMs;
    while (this.used > 0 && performance.now() < deadlineMs) await delay(DRAIN_TICK_MS);
    // A busy carrier may deliver without a pause, so receipts are rejected. The carrier sends them again later.
    this.receipts.closing = true;
    while (this.receipts.underWay > 0 && performance.now() < deadlineMs) await delay(DRAIN_TICK_MS);
    await this.binds.stop();
    if (this.pumpTimer) clearTimeout(this.pumpTimer);
  }

  private async transmit(message: OutboundSms): Promise<SubmitOutcome> {
    const bind = this.binds.leastLoaded();
    if (!bind) return { kind: 'unbound' };
    bind.load += 1;
    try {
      this.reference = (this.reference + 1) & 0xffff;
      return await this.submitParts(bind, buildSubmitParts(message, this.config, this.reference));
    } catch (error) {
      // The fields cannot be encoded in a PDU, so nothing was written and a retry cannot succeed.
      const reason = `The message cannot be encoded for SMPP: ${error instanceof Error ? error.message : String(error)}.`;
      this.logger.error({ carrier: this.name, messageId: message.messageId, reason }, 'message rejected before submit');
      return { kind: 'refused', commandStatus: STATUS_INVALID_MESSAGE_LENGTH, reason, upstreamIds: [] };
    } finally {
      bind.load -= 1;
    }
  }

  private async submitParts(bind: SmppBind, parts: PduFields[]): Promise<SubmitOutcome> {
    const answers: PartAnswers = { upstreamIds: [] };
    let deadlineMs = Infinity;
    for (const [index, part] of parts.entries()) {
      const answer =
        index === 0 ? await bind.submit(part) : await this.submitLaterPart(bind, part, index + 1, deadlineMs, answers);
      const failure = this.failureOf(answer, index, parts.length, answers);
      if (failure) return failure;
      const nowMs = performance.now();
      this.pacing.accepted(nowMs);
      if (index === 0) deadlineMs = nowMs + this.config.multipartTimeoutMs;
      const id = answer.kind === 'answered' ? answer.messageId : '';
      const upstreamId = this.ids.ofResponse(id, String(part['destination_addr']));
      if (upstreamId !== '') answers.upstreamIds.push(upstreamId);
    }
    return { kind: 'accepted', ...answers };
  }

  /**
   * The carrier has accepted the earlier parts, so a throttled part is retried until the response timeout or the
   * deadline of the message. Throttled submits are appended to `answers`.
   */
  private async submitLaterPart(
    bind: SmppBind,
    part: PduFields,
    number: number,
    deadlineMs: number,
    answers: PartAnswers,
  ): Promise<Answer> {
    const retryUntilMs = Math.min(deadlineMs, performance.now() + this.config.responseTimeoutMs);
    for (let attempt = 0; ; attempt += 1) {
      const nowMs = performance.now();
      const waitMs = this.pacing.reserve(nowMs);
      if (nowMs + waitMs >= deadlineMs) {
        this.pacing.refund();
        return NOT_SENT;
      }
      if (waitMs > 0) await delay(waitMs);
      const answer = await bind.submit(part);
      if (answer.kind !== 'answered' || !this.retryStatuses.has(answer.commandStatus)) return answer;
      const pauseMs = throttlePauseMs(attempt);
      if (performance.now() + pauseMs >= retryUntilMs) return answer;
      this.pacing.throttled(performance.now());
      answers.throttledParts = [
        ...(answers.throttledParts ?? []),
        { at: new Date(), part: number, commandStatus: answer.commandStatus },
      ];
      await delay(pauseMs);
    }
  }

  /** Returns null if the part was accepted. */
  private failureOf(answer: Answer, index: number, total: number, answers: PartAnswers): SubmitOutcome | null {
    const first = index === 0;
    const part = total === 1 ? 'the message' : `part ${index + 1} of ${total}`;
    const uncertain = (reason: string): SubmitOutcome => ({ kind: 'uncertain', reason, ...answers });
    switch (answer.kind) {
      case 'answered': {
        const status = answer.commandStatus;
        if (status === STATUS_OK) return null;
        if (!this.retryStatuses.has(status)) {
          return {
            kind: 'refused',
            commandStatus: status,
            reason: `The carrier rejected ${part}: ${describeStatus(status)}.`,
            ...answers,
          };
        }
        this.pacing.throttled(performance.now());
        if (first) return { kind: 'throttled', commandStatus: status };
        return uncertain(`${part} was still throttled after earlier parts were accepted`);
      }
      case 'timed-out':
        return uncertain(`no response for ${part} within ${this.config.responseTimeoutMs} ms`);
      case 'closed':
        return uncertain(`the connection closed before the response for ${part}`);
      case 'not-sent':
        if (first) return { kind: 'unbound' };
        return uncertain(`the connection closed or the message timed out before ${part} was sent`);
    }
  }

  /** Milliseconds until a submit is allowed; Infinity if it depends on an event. */
  private waitMs(nowMs: number): number {
    if (this.used >= this.bindsUp * this.config.windowSize) return Infinity;
    return this.pacing.waitMs(nowMs);
  }

  private occupySlot(nowMs: number): void {
    this.used += 1;
    this.pacing.reserve(nowMs);
  }

  private releaseSlot(): void {
    this.used -= 1;
    if (this.waiters.size > 0) this.pump();
  }

  /** Grants slots to waiters while slots are free, then schedules the next check. */
  private pump(): void {
    const nowMs = performance.now();
    let waitMs = 0;
    while (this.waiters.size > 0 && (waitMs = this.waitMs(nowMs)) === 0) {
      this.occupySlot(nowMs);
      this.waiters.grant();
    }
    if (this.waiters.size > 0) this.pumpLater(nowMs, Math.min(waitMs, WAITERS_TICK_MS));
  }

  private pumpLater(nowMs: number, waitMs: number): void {
    if (this.pumpTimer) {
      if (this.pumpAtMs <= nowMs + waitMs) return;
      clearTimeout(this.pumpTimer);
    }
    this.pumpAtMs = nowMs + waitMs;
    this.pumpTimer = setTimeout(() => {
      this.pumpTimer = null;
      this.waiters.expire(performance.now());
      this.pump();
    }, waitMs);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
