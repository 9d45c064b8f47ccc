import type { PDU } from 'smpp';
import type { DeliveryReceipt } from '../../carrier';
import type { SmppCarrierConfig } from '../../carrier-config';
import type { ReceiptIds } from './receipt-ids';
import { octetsOf, receiptTextOf } from './receipt-octets';
import { isDefinedCode, stateFromCode, stateFromCounts, stateFromWord, type ReportedState } from './receipt-state';
import { parseReceiptText, type ReceiptText } from './receipt-text';

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
  const messageType = typeof pdu['esm_class'] === 'number' ? pdu['esm_class'] & MESSAGE_TYPE : 0;
  if (messageType === INTERMEDIATE_NOTIFICATION) return { kind: 'intermediate' };
  const idInTlv = textOf(pdu['receipted_message_id']);
  const stateInTlv = octetsOf(pdu['message_state'])[0];
  const text = parseReceiptText(receiptTextOf(pdu), config.receiptZoneOffsetMinutes);
  // Some carriers omit the message type.
  const isReceipt =
    messageType === FINAL_RECEIPT || hasReceiptTlvs(idInTlv, stateInTlv, text) || isConventionalReceipt(text);
  if (!isReceipt) return { kind: 'inbound' };

  const addresses = [pdu['source_addr'], pdu['destination_addr']].map(String);
  const upstreamId = ids.ofReceipt(idInTlv || (text.id ?? ''), addresses, performance.now());
  const state = reportedState(stateInTlv, text);
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

/** Only receipts have these TLVs. Carriers that send one of them send the other field in the text. */
function hasReceiptTlvs(id: string, state: number | undefined, text: ReceiptText): boolean {
  return (
    (id !== '' || text.id !== null) && (state !== undefined || text.stat !== null) && (id !== '' || state !== undefined)
  );
}

/**
 * Whether a text is a receipt by itself: it begins with the id and has a valid date and two more fields. A text of a
 * person that only mentions an id or a state is not a receipt.
 */
function isConventionalReceipt(text: ReceiptText): boolean {
  const fields = [text.stat, text.err, text.sub, text.dlvrd].filter((field) => field !== null);
  return text.beginsWithId && (text.submittedAt ?? text.doneAt) !== null && fields.length >= 2;
}

/** A code that SMPP 3.4 does not define, such as 0, does not take precedence over the text. */
function reportedState(code: number | undefined, text: ReceiptText): ReportedState | null {
  if (code !== undefined && (isDefinedCode(code) || text.stat === null)) return stateFromCode(code);
  return text.stat === null ? stateFromCounts(text) : stateFromWord(text.stat);
}

/** One octet of network type and two octets of error code (SMPP 3.4, 5.3.2.31). */
function networkError(octets: Buffer): string | null {
  return octets.length === 3 ? String(octets.readUInt16BE(1)) : null;
}

function textOf(value: unknown): string {
  return octetsOf(value).toString('latin1', 0, 256).replaceAll('\0', '').trim();
}
