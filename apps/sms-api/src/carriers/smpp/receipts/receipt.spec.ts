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

  const CONVENTIONAL =
    'id:7a sub:001 dlvrd:001 submit date:2601020303 done date:2601020304 stat:DELIVRD err:000 text:Your code';
  const ucs2 = (value: string) => Buffer.from(value, 'utf16le').swap16();
  const DELIVERED = { kind: 'receipt', receipt: { upstreamId: '7a', state: 'delivered', errorCode: '000' } };

  it.each<[string, number, Buffer]>([
    ['UCS-2', 8, ucs2(CONVENTIONAL)],
    ['UCS-2 with a byte order mark', 8, ucs2(`\ufeff${CONVENTIONAL}`)],
    ['little-endian UCS-2', 8, Buffer.from(CONVENTIONAL, 'utf16le')],
    ['UCS-2 with a text in another script', 8, ucs2(CONVENTIONAL.replace('Your code', 'आपका कोड'))],
    ['UCS-2 that is labelled as the default alphabet', 0, ucs2(CONVENTIONAL)],
    ['ASCII that is labelled as UCS-2', 8, text(CONVENTIONAL)],
    ['Latin-1', 3, text(CONVENTIONAL.replace('Your code', 'é'))],
    ['ASCII', 1, text(CONVENTIONAL)],
  ])('reads a receipt without TLVs in %s', (_, dataCoding, octets) => {
    for (const esmClass of [0x04, 0x00]) {
      expect(parse({ esm_class: esmClass, data_coding: dataCoding, message_payload: octets })).toMatchObject(DELIVERED);
      const header = Buffer.from([3, 0x70, 1, 0]);
      const short = octets.subarray(0, 250);
      const withHeader = { esm_class: esmClass | 0x40, short_message: Buffer.concat([header, short]) };
      expect(parse({ ...withHeader, data_coding: dataCoding })).toMatchObject({
        receipt: { upstreamId: '7a', state: 'delivered' },
      });
    }
  });

  it.each([
    ['sub:001 dlvrd:001 done date:2601020304 err:000', 'delivered'],
    ['sub:001 dlvrd:1 done date:2601020304', 'delivered'],
    ['done date:2601020304 err:000', 'delivered'],
    ['sub:001 dlvrd:000 done date:2601020304 err:027', 'undeliverable'],
    ['sub:001 dlvrd:000 done date:2601020304', 'undeliverable'],
    ['err:0A1', 'undeliverable'],
    ['sub:003 dlvrd:002 err:000', 'unknown'],
    ['done date:2601020304', 'unknown'],
    ['stat:2', 'delivered'],
    ['stat:005', 'undeliverable'],
    ['stat:9', 'undeliverable'],
    ['STATUS:DELIVERED', 'delivered'],
    ['stat: DLVRD', 'delivered'],
  ])('reads the state of "id:7a %s" as %s', (fields, state) => {
    expect(parse({ esm_class: 0x04, short_message: text(`id:7a ${fields}`) })).toMatchObject({ receipt: { state } });
  });

  it.each([
    [0, 'stat:DELIVRD', 'delivered'],
    [42, 'stat:UNDELIV', 'undeliverable'],
    [2, 'stat:UNDELIV', 'delivered'],
    [9, '', 'undeliverable'],
  ])('prefers a defined message_state: %d with "%s" is %s', (code, fields, state) => {
    const tlvs = { receipted_message_id: text('7a'), message_state: Buffer.from([code]) };
    expect(parse({ ...tlvs, esm_class: 0x04, short_message: text(`id:7a ${fields}`) })).toMatchObject({
      receipt: { state },
    });
  });

  it.each([
    'id:7 stat:DELIVRD',
    'My id:7a, please send it until date 2601020304',
    'Hi! id:7a sub:001 dlvrd:001 submit date:2601020303 done date:2601020304 stat:DELIVRD err:000',
    'id: my passport is lost, err: what now?',
    'STOP',
    '',
  ])('treats the ordinary text %j as a mobile-originated message', (message) => {
    for (const octets of [text(message), ucs2(message)]) expect(parse({ short_message: octets }).kind).toBe('inbound');
  });

  it('recognizes a receipt by one TLV and the text if esm_class is missing', () => {
    expect(parse({ receipted_message_id: text('7a'), short_message: text('stat:DELIVRD') })).toMatchObject({
      receipt: { upstreamId: '7a', state: 'delivered' },
    });
    expect(parse({ message_state: Buffer.from([2]), short_message: text('id:7a') })).toMatchObject({
      receipt: { upstreamId: '7a', state: 'delivered' },
    });
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
