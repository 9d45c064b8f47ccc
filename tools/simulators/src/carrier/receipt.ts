import type { CarrierBehaviour } from './behaviour';
import { TLV, type Delivery } from './wire';

type FinalState = Exclude<CarrierBehaviour['receipt'], 'none'>;

const STATES: Record<FinalState, { code: number; word: string; error: string }> = {
  delivered: { code: 2, word: 'DELIVRD', error: '000' },
  expired: { code: 3, word: 'EXPIRED', error: '027' },
  undeliverable: { code: 5, word: 'UNDELIV', error: '001' },
  rejected: { code: 8, word: 'REJECTD', error: '069' },
};
const ESM_CLASS_MESSAGE = 0x00;
const ESM_CLASS_RECEIPT = 0x04;
const CODING_UCS2 = 8;

/** The message of a receipt. */
export interface ReceiptSubject {
  upstreamId: string;
  source: string;
  destination: string;
  text: string;
  submittedAt: Date;
}

/** Whether the submit requested a receipt for this state (`registered_delivery`, SMPP 3.4, 5.2.17). */
export function wantsReceipt(registeredDelivery: number, state: FinalState): boolean {
  switch (registeredDelivery & 0x03) {
    case 1:
      return true;
    case 2:
      return state !== 'delivered';
    case 3: // success only, since version 5.0
      return state === 'delivered';
    default:
      return false;
  }
}

/** The `deliver_sm` of a receipt: swapped addresses, the text form, and TLVs unless disabled. */
export function writeReceipt(subject: ReceiptSubject, state: FinalState, behaviour: CarrierBehaviour): Delivery {
  const { code, word, error } = STATES[state];
  const id = receiptId(subject.upstreamId, behaviour.receiptIdNotation);
  const delivered = state === 'delivered' ? '001' : '000';
  const doneDate = behaviour.receiptDoneDate ?? receiptDate(new Date());
  const dates = `submit date:${receiptDate(subject.submittedAt)} done date:${doneDate}`;
  const stat = behaviour.receiptWithoutStat ? '' : `stat:${word} `;
  const words = subject.text.slice(0, 20).replace(/[^\x20-\x7e]/g, '?');
  return {
    source: subject.destination,
    destination: subject.source,
    esmClass: behaviour.receiptWithoutMessageType ? ESM_CLASS_MESSAGE : ESM_CLASS_RECEIPT,
    dataCoding: behaviour.receiptDataCoding,
    body: encode(
      `id:${id} sub:001 dlvrd:${delivered} ${dates} ${stat}err:${error} text:${words}`,
      behaviour.receiptDataCoding,
    ),
    tlvs: behaviour.receiptWithoutTlvs
      ? []
      : [
          [TLV.receiptedMessageId, Buffer.from(`${id}\0`, 'latin1')],
          [TLV.messageState, Buffer.from([code])],
        ],
  };
}

function encode(text: string, dataCoding: number): Buffer {
  return dataCoding === CODING_UCS2 ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'latin1');
}

function receiptId(id: string, notation: CarrierBehaviour['receiptIdNotation']): string {
  switch (notation) {
    case 'same':
      return id;
    case 'decimal':
      return BigInt(`0x${id}`).toString(10);
    case 'padded':
      return id.padStart(20, '0');
  }
}

/** YYMMDDhhmm, in UTC. */
function receiptDate(date: Date): string {
  return date.toISOString().replace(/\D/g, '').slice(2, 12);
}
