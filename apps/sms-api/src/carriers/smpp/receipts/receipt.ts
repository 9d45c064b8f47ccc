import type { PDU } from 'smpp';
import type { DeliveryReceipt } from '../../carrier';
import type { SmppCarrierConfig } from '../../carrier-config';
import { stateFromCode, stateFromWord, type ReportedState } from './receipt-state';
import { parseReceiptText } from './receipt-text';
import type { ReceiptIds } from './receipt-ids';

/** A parsed PDU from the carrier. */
export type ParsedDelivery =
  | { kind: 'receipt'; receipt: DeliveryReceipt }
  /** Delivery is in progress; there is nothing to store. */
  | { kind: 'intermediate' }
  /** A receipt without a message id or a state. */
  | { kind: 'unreadable' }
  /** A mobile-originated message. */
  | { kind: 'inbound' };

type ReceiptConfig = Pick<SmppCarrierConfig, 'name' | 'receiptZoneOffsetMinutes'>;

/** Message type bits of `esm_class` (SMPP 3.4, 5.2.12). */
const MESSAGE_TYPE = 0x3c;
const FINAL_RECEIPT = 0x04;
const INTERMEDIATE_NOTIFICATION = 0x20;

/**
 * Parses a `deliver_sm` or `data_sm`. The TLVs `receipted_message_id` and `message_state` take precedence over the
 * text; the carrier's id notation applies to both. Never throws.
 */
export function parseDelivery(pdu: PDU, config: ReceiptConfig, ids: ReceiptIds, receivedAt: Date): ParsedDelivery {
  const esmClass = typeof pdu['esm_class'] === 'number' ? pdu['esm_class'] & MESSAGE_TYPE : 0;
  const idInTlv = textOf(pdu['receipted_message_id']);
  const stateInTlv = octetsOf(pdu['message_state'])[0];
  if (esmClass === INTERMEDIATE_NOTIFICATION) return { kind: 'intermediate' };
  // Some carriers omit the bits but send the TLVs, which only receipts have.
  if (esmClass !== FINAL_RECEIPT && (idInTlv === '' || stateInTlv === undefined)) return { kind: 'inbound' };

  const shortMessage = octetsOf(pdu['short_message']);
  const body = shortMessage.length > 0 ? shortMessage : octetsOf(pdu['message_payload']);
  const text = parseReceiptText(body.toString('latin1', 0, 1_024), config.receiptZoneOffsetMinutes);

  const addresses = [pdu['source_addr'], pdu['destination_addr']].map(String);
  const upstreamId = ids.ofReceipt(idInTlv || (text.id ?? ''), addresses, performance.now());
  const state = reportedState(stateInTlv, text.stat);
  if (state === 'intermediate') return { kind: 'intermediate' };
  if (upstreamId === '' || state === null) return { kind: 'unreadable' };
  return {
    kind: 'receipt',
    receipt: {
      carrier: config.name,
      upstreamId,
      state,
      errorCode: text.err?.slice(0, 32) ?? networkError(octetsOf(pdu['network_error_code'])),
      doneAt: text.doneAt,
      receivedAt,
    },
  };
}

function reportedState(code: number | undefined, word: string | null): ReportedState | null {
  if (code !== undefined) return stateFromCode(code);
  return word === null ? null : stateFromWord(word);
}

/** One octet of network type and two octets of error code (SMPP 3.4, 5.3.2.31). */
function networkError(octets: Buffer): string | null {
  return octets.length === 3 ? String(octets.readUInt16BE(1)) : null;
}

function octetsOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function textOf(value: unknown): string {
  return octetsOf(value).toString('latin1', 0, 256).replaceAll('\0', '').trim();
}
