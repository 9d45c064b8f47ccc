import type { PDU } from 'smpp';
import type { DeliveryReceipt } from '../../carrier';
import type { SmppCarrierSettings } from '../../carrier-settings';
import { stateFromCode, stateFromWord, type ReportedState } from './receipt-state';
import { readReceiptText } from './receipt-text';
import { normalizeUpstreamId } from './upstream-id';

/** What a PDU from the carrier turned out to be. */
export type Reading =
  | { kind: 'receipt'; receipt: DeliveryReceipt }
  /** Still on its way; nothing to store. */
  | { kind: 'intermediate' }
  /** Says that it is a receipt, and not of what. */
  | { kind: 'unreadable' }
  /** A message that a handset sent. */
  | { kind: 'inbound' };

type ReceiptSettings = Pick<SmppCarrierSettings, 'name' | 'receiptIdNotation' | 'receiptZoneOffsetMinutes'>;

/** Bits of `esm_class` that tell the kind of a delivered message (SMPP 3.4, 5.2.12). */
const MESSAGE_TYPE = 0x3c;
const FINAL_RECEIPT = 0x04;
const INTERMEDIATE_NOTIFICATION = 0x20;

/**
 * Reads a `deliver_sm` or `data_sm`. The TLVs `receipted_message_id` and `message_state` win over the text; the
 * notation of ids is the carrier's whichever of the two they come from. Never throws.
 */
export function readDelivery(pdu: PDU, settings: ReceiptSettings, receivedAt: Date): Reading {
  const esmClass = typeof pdu['esm_class'] === 'number' ? pdu['esm_class'] & MESSAGE_TYPE : 0;
  const idInTlv = textOf(pdu['receipted_message_id']);
  const stateInTlv = octetsOf(pdu['message_state'])[0];
  if (esmClass === INTERMEDIATE_NOTIFICATION) return { kind: 'intermediate' };
  // Some carriers forget the bits and send the TLVs, which only receipts have.
  if (esmClass !== FINAL_RECEIPT && (idInTlv === '' || stateInTlv === undefined)) return { kind: 'inbound' };

  const shortMessage = octetsOf(pdu['short_message']);
  const body = shortMessage.length > 0 ? shortMessage : octetsOf(pdu['message_payload']);
  const text = readReceiptText(body.toString('latin1', 0, 1_024), settings.receiptZoneOffsetMinutes);

  const upstreamId = normalizeUpstreamId(idInTlv || (text.id ?? ''), 'receipt', settings.receiptIdNotation);
  const state = reportedState(stateInTlv, text.stat);
  if (state === 'intermediate') return { kind: 'intermediate' };
  if (upstreamId === '' || state === null) return { kind: 'unreadable' };
  return {
    kind: 'receipt',
    receipt: {
      carrier: settings.name,
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

/** One octet of network type, two of error (SMPP 3.4, 5.3.2.31). */
function networkError(octets: Buffer): string | null {
  return octets.length === 3 ? String(octets.readUInt16BE(1)) : null;
}

function octetsOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function textOf(value: unknown): string {
  return octetsOf(value).toString('latin1', 0, 256).replaceAll('\0', '').trim();
}
