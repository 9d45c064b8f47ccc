import type { Part } from './part';
import { RecentHashes } from './recent-hashes';

/** A message as the control API returns it, with its parts joined. */
export interface CarrierMessage {
  /** The id of the first part; null if the message was refused. */
  upstreamId: string | null;
  source: string;
  /** E.164 digits without the plus. */
  destination: string;
  text: string;
  dataCoding: number;
  /** The number of received parts. */
  parts: number;
  flash: boolean;
  tlvs: Record<string, string>;
  /** False if rejected or throttled. A submit without an answer counts as accepted. */
  accepted: boolean;
  /** The time of the first part; RFC 3339. */
  at: string;
}

export interface InboxTotals {
  acceptedParts: number;
  refusedParts: number;
  /** Distinct pairs of destination and text, by which benchmarks detect losses and repetitions. */
  distinctParts: number;
}

interface Stored {
  message: CarrierMessage;
  /** The texts of the received parts, by position. */
  texts: (string | undefined)[];
}

/** Shared by all single-part messages. */
const NO_TEXTS: (string | undefined)[] = [];

/** The received messages, newest last. The oldest are dropped beyond `maxMessages`; 0 retains only totals. */
export class CarrierInbox {
  private readonly records = new Map<number, Stored>();
  private readonly incomplete = new Map<string, number>();
  private readonly hashes = new RecentHashes();
  private nextKey = 0;
  private accepted = 0;
  private refused = 0;

  constructor(private readonly maxMessages: number) {}

  get totals(): InboxTotals {
    return { acceptedParts: this.accepted, refusedParts: this.refused, distinctParts: this.hashes.distinct };
  }

  add(part: Part, upstreamId: string | null, accepted: boolean): void {
    if (accepted) {
      this.accepted += 1;
      this.hashes.add(part.destination, part.text);
    } else {
      this.refused += 1;
    }
    if (this.maxMessages === 0) return;
    const { total, sequence } = part.concatenation;
    // A refused part is never joined with others.
    if (total <= 1 || !accepted) this.store(part, upstreamId, accepted, 1);
    else this.join(part, upstreamId, Math.min(Math.max(sequence, 1), total));
  }

  /** `to` is compared by digits. */
  list(to?: string): CarrierMessage[] {
    const digits = to?.replace(/\D/g, '');
    const messages: CarrierMessage[] = [];
    for (const { message } of this.records.values()) {
      if (digits === undefined || message.destination === digits) messages.push(message);
    }
    return messages;
  }

  clear(): void {
    this.records.clear();
    this.incomplete.clear();
  }

  private join(part: Part, upstreamId: string | null, sequence: number): void {
    const { reference, total } = part.concatenation;
    const group = `${part.source}\0${part.destination}\0${reference}\0${total}`;
    const record = this.records.get(this.incomplete.get(group) ?? -1);
    // A repeated part starts a new message: references are reused, and senders repeat messages.
    if (!record || record.texts[sequence - 1] !== undefined) {
      this.incomplete.set(group, this.store(part, upstreamId, true, sequence));
      return;
    }
    record.texts[sequence - 1] = part.text;
    record.message.text = record.texts.join('');
    record.message.parts += 1;
    if (sequence === 1) record.message.upstreamId = upstreamId;
    if (record.message.parts === total) this.incomplete.delete(group);
  }

  private store(part: Part, upstreamId: string | null, accepted: boolean, sequence: number): number {
    const { source, destination, text, dataCoding, flash, tlvs } = part;
    const at = new Date().toISOString();
    const message = { upstreamId, source, destination, text, dataCoding, parts: 1, flash, tlvs, accepted, at };
    const texts: (string | undefined)[] = part.concatenation.total > 1 ? [] : NO_TEXTS;
    if (texts !== NO_TEXTS) texts[sequence - 1] = text;
    const key = this.nextKey;
    this.nextKey += 1;
    this.records.set(key, { message, texts });
    if (this.records.size > this.maxMessages) this.forgetOldest();
    return key;
  }

  private forgetOldest(): void {
    for (const key of this.records.keys()) {
      this.records.delete(key);
      break;
    }
    // Remove incomplete groups whose message was dropped.
    if (this.incomplete.size > 10_000) {
      for (const [group, key] of this.incomplete) if (!this.records.has(key)) this.incomplete.delete(group);
    }
  }
}
