import { randomInt } from 'node:crypto';
import type { PDU, PduFields } from 'smpp';
import type { Carrier, OutboundSms, ReceiptSink, SubmitOutcome } from '../carrier';
import type { CarrierLogger } from '../carrier-logger';
import type { SmppCarrierSettings } from '../carrier-settings';
import { describeStatus, STATUS_INVALID_MESSAGE_LENGTH, STATUS_OK } from './command-status';
import { newCarrierMetrics, type CarrierMetrics } from './metrics';
import { NOT_SENT, type Answer } from './pending-requests';
import { ReceiptIntake } from './receipts/receipt-intake';
import { SlotWaiters } from './pacing/slot-waiters';
import { SmppBind } from './smpp-bind';
import { buildSubmitParts } from './submit-parts';
import { ThrottlePause, throttlePauseMs } from './pacing/throttle-pause';
import { ThroughputBucket } from '@heliograph/pacing';
import { normalizeUpstreamId } from './receipts/upstream-id';

/** How often waiting `acquire` calls are looked at for their time-outs, in milliseconds. */
const WAITERS_TICK_MS = 50;
/** How often `stop` looks whether the last submit has settled. */
const DRAIN_TICK_MS = 10;

/**
 * A carrier that speaks SMPP 3.4, over a pool of transceiver binds.
 *
 * A slot stands for one submit PDU without an answer: the parts of a message go over one bind, one after the other,
 * in the slot of their message. What is told of a message of several parts: the first part decides between
 * `accepted`, `refused`, `throttled` and `unbound`. A later part that is throttled is tried again in place for as long
 * as a response may take, then the whole is `uncertain`. A later part that is refused makes the whole `refused`: a
 * handset never shows an incomplete message.
 */
export class SmppCarrier implements Carrier {
  readonly name: string;
  readonly metrics: Readonly<CarrierMetrics>;
  private readonly counters: CarrierMetrics = newCarrierMetrics();
  private readonly binds: readonly SmppBind[];
  private readonly bucket: ThroughputBucket;
  private readonly pause = new ThrottlePause();
  private readonly waiters = new SlotWaiters();
  private readonly retryStatuses: ReadonlySet<number>;
  private readonly receipts: ReceiptIntake;
  private used = 0;
  private upCount = 0;
  private reference = randomInt(0x10000);
  private stopping = false;
  private pumpTimer: NodeJS.Timeout | null = null;
  private pumpAtMs = 0;

  constructor(
    private readonly settings: SmppCarrierSettings,
    private readonly logger: CarrierLogger,
  ) {
    this.name = settings.name;
    this.metrics = this.counters;
    this.retryStatuses = new Set(settings.retryStatuses);
    this.bucket = new ThroughputBucket(settings.throughputPerSecond, performance.now());
    this.receipts = new ReceiptIntake(settings, this.counters, logger);
    const events = {
      up: () => this.bindCame(),
      down: () => (this.upCount -= 1),
      delivered: (pdu: PDU, reply: (status: number) => void) => this.receipts.take(pdu, reply),
    };
    this.binds = Array.from(
      { length: settings.binds },
      (_, index) => new SmppBind(index, settings, this.counters, logger, events),
    );
  }

  get bound(): boolean {
    return this.upCount > 0;
  }

  /** Binds that are up, of `settings.binds`. */
  get bindsUp(): number {
    return this.upCount;
  }

  /** No submit takes longer than this, in milliseconds. */
  get longestSubmitMs(): number {
    return 2 * this.settings.responseTimeoutMs + this.settings.multipartTimeoutMs;
  }

  get window(): { used: number; size: number } {
    return { used: this.used, size: this.upCount * this.settings.windowSize };
  }

  start(onReceipt: ReceiptSink): void {
    this.receipts.sink = onReceipt;
    for (const bind of this.binds) bind.start();
  }

  async acquire(timeoutMs: number): Promise<boolean> {
    if (this.stopping) return false;
    const nowMs = performance.now();
    if (this.waiters.size === 0 && this.waitMs(nowMs) === 0) {
      this.take(nowMs);
      return true;
    }
    if (timeoutMs <= 0) return false;
    const granted = this.waiters.wait(nowMs + timeoutMs);
    this.pump();
    return granted;
  }

  release(): void {
    this.bucket.refund();
    this.giveBack();
  }

  async submit(message: OutboundSms): Promise<SubmitOutcome> {
    const outcome = await this.transmit(message);
    this.counters.submits[outcome.kind] += 1;
    this.giveBack();
    return outcome;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.waiters.expire(Infinity);
    const deadlineMs = performance.now() + this.settings.stopTimeoutMs;
    while (this.used > 0 && performance.now() < deadlineMs) await delay(DRAIN_TICK_MS);
    // A busy carrier never stops delivering; what is not taken any more it keeps.
    this.receipts.closing = true;
    while (this.receipts.underWay > 0 && performance.now() < deadlineMs) await delay(DRAIN_TICK_MS);
    await Promise.all(this.binds.map((bind) => bind.stop()));
    if (this.pumpTimer) clearTimeout(this.pumpTimer);
  }

  private async transmit(message: OutboundSms): Promise<SubmitOutcome> {
    const bind = this.leastLoadedBind();
    if (!bind) return { kind: 'unbound' };
    bind.load += 1;
    try {
      this.reference = (this.reference + 1) & 0xffff;
      return await this.submitParts(bind, buildSubmitParts(message, this.settings, this.reference));
    } catch (error) {
      // Nothing of it was written: the fields do not fit into a PDU, and never will.
      const reason = `it cannot be encoded for SMPP: ${error instanceof Error ? error.message : String(error)}`;
      this.logger.error({ carrier: this.name, messageId: message.messageId, reason }, 'message refused before submit');
      return { kind: 'refused', commandStatus: STATUS_INVALID_MESSAGE_LENGTH, reason };
    } finally {
      bind.load -= 1;
    }
  }

  private async submitParts(bind: SmppBind, parts: PduFields[]): Promise<SubmitOutcome> {
    const upstreamIds: string[] = [];
    let deadlineMs = Infinity;
    for (const [index, part] of parts.entries()) {
      const answer = index === 0 ? await bind.submit(part) : await this.submitLaterPart(bind, part, deadlineMs);
      const failure = this.failureOf(answer, index, parts.length);
      if (failure) return failure;
      const nowMs = performance.now();
      this.pause.accepted(nowMs);
      if (index === 0) deadlineMs = nowMs + this.settings.multipartTimeoutMs;
      const id = answer.kind === 'answered' ? answer.messageId : '';
      const upstreamId = normalizeUpstreamId(id, 'response', this.settings.receiptIdNotation);
      if (upstreamId !== '') upstreamIds.push(upstreamId);
    }
    return { kind: 'accepted', upstreamIds };
  }

  /**
   * The parts before it are with the carrier, so a throttled one is tried again until a response would be overdue, or
   * until the message's own deadline.
   */
  private async submitLaterPart(bind: SmppBind, part: PduFields, deadlineMs: number): Promise<Answer> {
    const patienceMs = Math.min(deadlineMs, performance.now() + this.settings.responseTimeoutMs);
    for (let attempt = 0; ; attempt += 1) {
      const nowMs = performance.now();
      const waitMs = this.bucket.reserve(nowMs);
      if (nowMs + waitMs >= deadlineMs) {
        this.bucket.refund();
        return NOT_SENT;
      }
      if (waitMs > 0) await delay(waitMs);
      const answer = await bind.submit(part);
      const throttled = answer.kind === 'answered' && this.retryStatuses.has(answer.commandStatus);
      const pauseMs = throttlePauseMs(attempt);
      if (!throttled || performance.now() + pauseMs >= patienceMs) return answer;
      this.pause.throttled(performance.now());
      await delay(pauseMs);
    }
  }

  /** Null when the part was accepted. */
  private failureOf(answer: Answer, index: number, total: number): SubmitOutcome | null {
    const first = index === 0;
    const part = total === 1 ? 'the message' : `part ${index + 1} of ${total}`;
    switch (answer.kind) {
      case 'answered': {
        const status = answer.commandStatus;
        if (status === STATUS_OK) return null;
        if (!this.retryStatuses.has(status)) {
          return {
            kind: 'refused',
            commandStatus: status,
            reason: `the carrier refused ${part}: ${describeStatus(status)}`,
          };
        }
        this.pause.throttled(performance.now());
        if (first) return { kind: 'throttled', commandStatus: status };
        return { kind: 'uncertain', reason: `${part} stayed throttled after the parts before it were accepted` };
      }
      case 'timed-out':
        return { kind: 'uncertain', reason: `no answer for ${part} within ${this.settings.responseTimeoutMs} ms` };
      case 'closed':
        return { kind: 'uncertain', reason: `the connection ended before the answer for ${part}` };
      case 'not-sent':
        if (first) return { kind: 'unbound' };
        return { kind: 'uncertain', reason: `the connection or the time for the message ended before ${part} left` };
    }
  }

  /** Slots outnumber the room on the binds for a moment when a bind is lost; then nothing is sent beyond a window. */
  private leastLoadedBind(): SmppBind | null {
    let best: SmppBind | null = null;
    for (const bind of this.binds) {
      if (bind.up && bind.load < this.settings.windowSize && (best === null || bind.load < best.load)) best = bind;
    }
    return best;
  }

  private bindCame(): void {
    this.upCount += 1;
    this.pump();
  }

  /** Milliseconds until a submit may go out; Infinity when that hangs on an event. */
  private waitMs(nowMs: number): number {
    if (this.used >= this.upCount * this.settings.windowSize) return Infinity;
    return Math.max(this.pause.waitMs(nowMs), this.bucket.waitMs(nowMs));
  }

  private take(nowMs: number): void {
    this.used += 1;
    this.bucket.reserve(nowMs);
  }

  private giveBack(): void {
    this.used -= 1;
    if (this.waiters.size > 0) this.pump();
  }

  /** Serves those who wait while slots are free, and comes back when the next may be. */
  private pump(): void {
    const nowMs = performance.now();
    let waitMs = 0;
    while (this.waiters.size > 0 && (waitMs = this.waitMs(nowMs)) === 0) {
      this.take(nowMs);
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
