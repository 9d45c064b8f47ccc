import fc from 'fast-check';
import { PDU, type PduFields } from 'smpp';
import { readDelivery } from './receipt';
import '../smpp-library';

const settings = { name: 'one', receiptIdNotation: 'same' as const, receiptZoneOffsetMinutes: 0 };
const now = new Date('2026-01-02T03:04:05Z');

/** As it arrives: through octets and back. */
function read(fields: PduFields) {
  return readDelivery(new PDU(new PDU('deliver_sm', fields).toBuffer()), settings, now);
}

const text = (value: string) => Buffer.from(value, 'latin1');

describe('what a carrier delivers', () => {
  it('is a receipt by its TLVs, which win over the text', () => {
    const reading = read({
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
  ])('with stat:%s is %s', (word, state) => {
    const reading = read({ esm_class: 0x04, short_message: text(`id:7_x stat:${word}`) });
    expect(reading).toMatchObject({ kind: 'receipt', receipt: { upstreamId: '7_x', state } });
  });

  it('is intermediate while the message is on its way', () => {
    expect(read({ esm_class: 0x04, short_message: text('id:7 stat:ENROUTE') }).kind).toBe('intermediate');
    expect(read({ esm_class: 0x04, short_message: text('id:7 stat:ACCEPTD') }).kind).toBe('intermediate');
    expect(read({ esm_class: 0x20, short_message: text('id:7 stat:DELIVRD') }).kind).toBe('intermediate');
  });

  it('is a receipt by its TLVs alone where the class was forgotten', () => {
    const reading = read({ receipted_message_id: text('7'), message_state: Buffer.from([5]) });
    expect(reading).toMatchObject({ kind: 'receipt', receipt: { state: 'undeliverable' } });
  });

  it('is unreadable when it does not say of what, or how it went', () => {
    expect(read({ esm_class: 0x04, short_message: text('stat:DELIVRD') }).kind).toBe('unreadable');
    expect(read({ esm_class: 0x04, short_message: text('id:7') }).kind).toBe('unreadable');
    expect(read({ esm_class: 0x04, short_message: text('') }).kind).toBe('unreadable');
  });

  it('is a message from a handset otherwise, whatever it says', () => {
    expect(read({ short_message: text('id:7 stat:DELIVRD') }).kind).toBe('inbound');
  });

  it('never throws, whatever the octets', () => {
    const octets = fc.uint8Array({ maxLength: 254 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(octets, octets, octets, fc.nat(255), (message, id, state, esmClass) => {
        read({ esm_class: esmClass, short_message: message, receipted_message_id: id, message_state: state });
      }),
    );
  });
});
