import fc from 'fast-check';
import { PDU, type PduFields } from 'smpp';
import { parseDelivery } from './receipt';
import { ReceiptIds } from './receipt-ids';
import '../smpp-library';

const config = { name: 'one', receiptZoneOffsetMinutes: 0 };
const ids = new ReceiptIds('same', () => undefined);
const now = new Date('2026-01-02T03:04:05Z');

/** Encodes and decodes the PDU, as if it had been received. */
function parse(fields: PduFields) {
  return parseDelivery(new PDU(new PDU('deliver_sm', fields).toBuffer()), config, ids, now);
}

const text = (value: string) => Buffer.from(value, 'latin1');

describe('parseDelivery', () => {
  it('prefers the TLVs of a receipt over its text', () => {
    const reading = parse({
      esm_class: 0x04,
      short_message: text('id:2 stat:UNDELIV err:011 done date:2601020304'),
      receipted_message_id: text('00A1\0'),
      message_state: Buffer.from([2]),
    });
    expect(reading).toEqual({
      kind: 'receipt',
      receipt: {
        carrier: 'one',
        upstreamId: 'a1',
        state: 'delivered',
        errorCode: '011',
        doneAt: new Date('2026-01-02T03:04:00Z'),
        receivedAt: now,
      },
    });
  });

  it.each([
    ['DELIVRD', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'deleted'],
    ['UNDELIV', 'undeliverable'],
    ['UNKNOWN', 'unknown'],
    ['rejectd', 'rejected'],
    ['WHATEVER', 'unknown'],
  ])('maps stat:%s to %s', (word, state) => {
    const reading = parse({ esm_class: 0x04, short_message: text(`id:7_x stat:${word}`) });
    expect(reading).toMatchObject({ kind: 'receipt', receipt: { upstreamId: '7_x', state } });
  });

  it('removes the NUL at the end of a receipt text', () => {
    const reading = parse({ esm_class: 0x04, short_message: text('id:7 sub:001 stat:DELIVRD err:000\0') });
    expect(reading).toMatchObject({ receipt: { upstreamId: '7', state: 'delivered', errorCode: '000' } });
  });

  it('recognizes intermediate states', () => {
    expect(parse({ esm_class: 0x04, short_message: text('id:7 stat:ENROUTE') }).kind).toBe('intermediate');
    expect(parse({ esm_class: 0x04, short_message: text('id:7 stat:ACCEPTD') }).kind).toBe('intermediate');
    expect(parse({ esm_class: 0x20, short_message: text('id:7 stat:DELIVRD') }).kind).toBe('intermediate');
  });

  it('recognizes a receipt by its TLVs if esm_class is missing', () => {
    const reading = parse({ receipted_message_id: text('7'), message_state: Buffer.from([5]) });
    expect(reading).toMatchObject({ kind: 'receipt', receipt: { state: 'undeliverable' } });
  });

  it('reports a receipt without an id or a state as unreadable', () => {
    expect(parse({ esm_class: 0x04, short_message: text('stat:DELIVRD') }).kind).toBe('unreadable');
    expect(parse({ esm_class: 0x04, short_message: text('id:7') }).kind).toBe('unreadable');
    expect(parse({ esm_class: 0x04, short_message: text('') }).kind).toBe('unreadable');
  });

  it('treats every other PDU as a mobile-originated message', () => {
    expect(parse({ short_message: text('id:7 stat:DELIVRD') }).kind).toBe('inbound');
  });

  it('never throws for arbitrary bytes', () => {
    const octets = fc.uint8Array({ maxLength: 254 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(octets, octets, octets, fc.nat(255), (message, id, state, esmClass) => {
        parse({ esm_class: esmClass, short_message: message, receipted_message_id: id, message_state: state });
      }),
    );
  });
});
