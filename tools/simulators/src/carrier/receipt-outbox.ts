import type { Delivery } from './wire';

/** A pending receipt and the number of its refusals. */
export interface OutgoingReceipt {
  delivery: Delivery;
  refusals: number;
}

/** A bound connection that can receive. */
export interface ReceiptReceiver {
  /** False while its window is full. */
  readonly hasRoom: boolean;
  deliver(receipt: OutgoingReceipt): void;
}

const MAX_WAITING = 200_000;
const MAX_REFUSALS = 30;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/**
 * The receipts of one account. They are sent over any of its connections, wait while there is none, and are repeated if
 * they are refused or the connection closes before the response.
 */
export class ReceiptOutbox {
  /** Receipts dropped because too many were pending or one was refused too often. */
  dropped = 0;
  private waiting: OutgoingReceipt[] = [];
  private head = 0;
  private readonly receivers = new Set<ReceiptReceiver>();
  private readonly retries = new Set<NodeJS.Timeout>();

  get waitingCount(): number {
    return this.waiting.length - this.head + this.retries.size;
  }

  add(receipt: OutgoingReceipt): void {
    if (this.waiting.length - this.head >= MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(receipt);
    this.flush();
  }

  refused(receipt: OutgoingReceipt): void {
    const refusals = receipt.refusals + 1;
    if (refusals > MAX_REFUSALS) {
      this.dropped += 1;
      return;
    }
    const timer = setTimeout(
      () => {
        this.retries.delete(timer);
        this.add({ ...receipt, refusals });
      },
      Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (refusals - 1)),
    );
    this.retries.add(timer);
  }

  connect(receiver: ReceiptReceiver): void {
    this.receivers.add(receiver);
    this.flush();
  }

  disconnect(receiver: ReceiptReceiver): void {
    this.receivers.delete(receiver);
  }

  /** Sends the pending receipts over the connections with room, in turn. */
  flush(): void {
    while (this.head < this.waiting.length) {
      const receiver = this.nextReceiver();
      const receipt = this.waiting[this.head];
      if (!receiver || !receipt) break;
      this.head += 1;
      receiver.deliver(receipt);
    }
    if (this.head === this.waiting.length) {
      this.waiting = [];
      this.head = 0;
    } else if (this.head > 10_000) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
  }

  stop(): void {
    for (const timer of this.retries) clearTimeout(timer);
    this.retries.clear();
    this.receivers.clear();
    this.waiting = [];
    this.head = 0;
  }

  /** Round robin: the chosen receiver moves to the end of the set. */
  private nextReceiver(): ReceiptReceiver | null {
    for (const receiver of this.receivers) {
      if (!receiver.hasRoom) continue;
      this.receivers.delete(receiver);
      this.receivers.add(receiver);
      return receiver;
    }
    return null;
  }
}
