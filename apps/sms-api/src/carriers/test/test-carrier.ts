import { simulatedOutcomeOf } from '@heliograph/addresses';
import { LRUCache } from 'lru-cache';
import type { Carrier, DeliveryReceipt, OutboundSms, ReceiptSink, ReceiptState, SubmitOutcome } from '../carrier';
import { describeStatus } from '../smpp/command-status';

/** What happens to a message for a simulated number. */
type Simulation =
  | { kind: 'receipt'; state: ReceiptState; errorCode: string }
  | { kind: 'accepted' }
  | { kind: 'refused'; commandStatus: number }
  | { kind: 'throttled' | 'slow' | 'uncertain' };

const DELIVERED: Extract<Simulation, { kind: 'receipt' }> = { kind: 'receipt', state: 'delivered', errorCode: '000' };

/** By the last two digits of the number; docs/guides/test-mode.md lists them. Other numbers are delivered. */
const SIMULATIONS: Readonly<Record<string, Simulation>> = {
  '01': { kind: 'refused', commandStatus: 0x0b },
  '02': { kind: 'refused', commandStatus: 0x0a },
  '03': { kind: 'refused', commandStatus: 0x45 },
  '10': { kind: 'receipt', state: 'undeliverable', errorCode: '001' },
  '11': { kind: 'receipt', state: 'expired', errorCode: '027' },
  '12': { kind: 'receipt', state: 'rejected', errorCode: '088' },
  '13': { kind: 'receipt', state: 'deleted', errorCode: '055' },
  '14': { kind: 'receipt', state: 'unknown', errorCode: '255' },
  '20': { kind: 'throttled' },
  '21': { kind: 'slow' },
  '22': { kind: 'uncertain' },
  '23': { kind: 'accepted' },
};

const THROTTLED_STATUS = 0x58;
/** Time until a slow carrier accepts a message. Nothing waits meanwhile: the message returns to its lane. */
const SLOW_MS = 10_000;
const MAX_HELD = 10_000;

/**
 * The carrier of test organizations: it accepts, refuses and delivers messages by their number, and connects to nothing. Receipts are
 * stored before the response to the submit, like those of carriers that are faster than their own response.
 */
export class TestCarrier implements Carrier {
  readonly name = 'test';
  readonly bound = true;
  readonly window = { used: 0, size: 0 };
  /** Times of the first submits of throttled and slow messages. A process that restarts holds them once more. */
  private readonly held = new LRUCache<string, number>({ max: MAX_HELD });
  private onReceipt: ReceiptSink | null = null;

  start(onReceipt: ReceiptSink): void {
    this.onReceipt = onReceipt;
  }

  acquire(): Promise<boolean> {
    return Promise.resolve(true);
  }

  release(): void {
    // There are no slots.
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  async submit({ messageId, destination }: OutboundSms): Promise<SubmitOutcome> {
    const simulation = SIMULATIONS[simulatedOutcomeOf(destination) ?? ''] ?? DELIVERED;
    const upstreamId = `test-${messageId}`;
    switch (simulation.kind) {
      case 'refused': {
        const { commandStatus } = simulation;
        const reason = `The carrier rejected the message: ${describeStatus(commandStatus)}.`;
        return { kind: 'refused', commandStatus, reason, upstreamIds: [] };
      }
      case 'uncertain':
        return { kind: 'uncertain', reason: 'no response in time', upstreamIds: [] };
      case 'throttled':
        if (this.heldMs(messageId) === 0) return { kind: 'throttled', commandStatus: THROTTLED_STATUS };
        return this.accept(upstreamId, DELIVERED);
      case 'slow':
        return this.heldMs(messageId) < SLOW_MS ? { kind: 'unbound' } : this.accept(upstreamId, DELIVERED);
      case 'accepted':
        return { kind: 'accepted', upstreamIds: [upstreamId] };
      case 'receipt':
        return this.accept(upstreamId, simulation);
    }
  }

  /** The time since the first submit of a message; 0 for the first one. */
  private heldMs(messageId: string): number {
    const now = performance.now();
    const since = this.held.get(messageId);
    if (since === undefined) this.held.set(messageId, now);
    return since === undefined ? 0 : Math.max(1, now - since);
  }

  private async accept(
    upstreamId: string,
    { state, errorCode }: Extract<Simulation, { kind: 'receipt' }>,
  ): Promise<SubmitOutcome> {
    const receipt: DeliveryReceipt = {
      carrier: this.name,
      upstreamId,
      state,
      errorCode,
      doneAt: null,
      receivedAt: new Date(),
    };
    try {
      await this.onReceipt?.(receipt);
    } catch {
      // Nothing is stored: the message waits and is submitted again.
      return { kind: 'unbound' };
    }
    return { kind: 'accepted', upstreamIds: [upstreamId] };
  }
}
