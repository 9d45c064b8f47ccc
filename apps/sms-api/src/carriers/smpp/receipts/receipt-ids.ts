import {
  convertReceiptId,
  NOTATIONS,
  normalizeUpstreamId,
  type KnownNotation,
  type ReceiptIdNotation,
} from './upstream-id';

/** Maximum number of submits that are retained until the notation is detected. */
const MAX_RECENT = 10_000;
const MAX_CONVERSIONS = 10_000;
/** A notation is detected when its number of receipts exceeds that of every other notation by this much. */
const VOTES = 3;
/** All receipts that arrived before the detection are stored within this time after it. */
const CONVERSIONS_LAST_MS = 30_000;

/** The stored id of a receipt that arrived before the notation was known, and its id in that notation. */
export interface IdConversion {
  from: string;
  to: string;
}

/**
 * Normalizes the message ids of one carrier. With the notation `auto`, ids are stored in the notation of the submit
 * responses, and the notation of the receipts is detected from the first receipts: a receipt counts if its id and one
 * of its addresses match a recent submit under exactly one notation. Times are monotonic milliseconds.
 */
export class ReceiptIds {
  private detected: KnownNotation | null = null;
  private detectedAtMs = 0;
  /** Recipient of each recent submit, by the id in the submit response. */
  private readonly recent = new Map<string, string>();
  private readonly votes = new Map<KnownNotation, number>();
  private undecided: string[] = [];

  constructor(
    private readonly configured: ReceiptIdNotation,
    private readonly onDetected: (notation: KnownNotation) => void,
  ) {}

  /** Notation of receipt ids that were stored before the detection of the notation; `auto` if it is not detected yet. */
  get storedNotation(): ReceiptIdNotation {
    return this.configured === 'auto' ? (this.detected ?? 'auto') : 'same';
  }

  /** Normalizes the id of a submit response. `recipient` contains the digits of the destination. */
  ofResponse(raw: string, recipient: string): string {
    if (this.configured !== 'auto') return normalizeUpstreamId(raw, 'response', this.configured);
    const id = normalizeUpstreamId(raw, 'response', 'same');
    if (this.detected === null && id !== '') {
      this.recent.set(id, recipient);
      const [oldest] = this.recent.keys();
      if (this.recent.size > MAX_RECENT && oldest !== undefined) this.recent.delete(oldest);
    }
    return id;
  }

  /** Normalizes the id of a receipt. `addresses` contains the source and destination of the receipt. */
  ofReceipt(raw: string, addresses: readonly string[], nowMs: number): string {
    if (this.configured !== 'auto') return normalizeUpstreamId(raw, 'receipt', this.configured);
    const id = normalizeUpstreamId(raw, 'receipt', 'same');
    if (this.detected === null) this.observe(id, addresses.map(digitsOf), nowMs);
    return this.detected === null ? id : convertReceiptId(id, this.detected);
  }

  /** Receipts that were stored with an unconverted id. The list is empty 30 seconds after the detection. */
  conversions(nowMs: number): IdConversion[] {
    const { detected } = this;
    if (detected === null) return [];
    if (nowMs > this.detectedAtMs + CONVERSIONS_LAST_MS) this.undecided = [];
    return this.undecided
      .map((from) => ({ from, to: convertReceiptId(from, detected) }))
      .filter(({ from, to }) => from !== to);
  }

  private observe(id: string, addresses: readonly string[], nowMs: number): void {
    const matching = NOTATIONS.filter((notation) => {
      const converted = convertReceiptId(id, notation);
      // A decimal id may stay equal after conversion (a single digit does), but an unchanged id with letters was not converted.
      if (notation !== 'same' && converted === id && !/^\d+$/.test(id)) return false;
      const recipient = this.recent.get(converted);
      return recipient !== undefined && addresses.includes(recipient);
    });
    const [notation, ...others] = matching;
    if (notation !== undefined && others.length === 0) {
      this.votes.set(notation, (this.votes.get(notation) ?? 0) + 1);
      const rivals = NOTATIONS.filter((other) => other !== notation).map((other) => this.votes.get(other) ?? 0);
      if ((this.votes.get(notation) ?? 0) >= VOTES + Math.max(...rivals)) return this.decide(notation, nowMs);
    }
    if (this.undecided.length < MAX_CONVERSIONS) this.undecided.push(id);
  }

  private decide(notation: KnownNotation, nowMs: number): void {
    this.detected = notation;
    this.detectedAtMs = nowMs;
    this.recent.clear();
    this.onDetected(notation);
  }
}

function digitsOf(address: string): string {
  return address.replace(/\D/g, '');
}
