import fc from 'fast-check';
import type { OutboundSms } from '../carrier';
import { smppCarrierConfig, type SmppCarrierConfigInput } from '../carrier-config';
import { addressPlan, buildSubmitParts } from './submit-parts';

const config = (more: Partial<SmppCarrierConfigInput> = {}) =>
  smppCarrierConfig.parse({ name: 'one', host: 'localhost', systemId: 'acme', ...more });

const message = (more: Partial<OutboundSms> = {}): OutboundSms => ({
  messageId: 'm',
  source: 'ACMEIN',
  destination: '919811111111',
  body: 'hello',
  encoding: 'gsm-7',
  flash: false,
  dltEntityId: null,
  dltTemplateId: null,
  ...more,
});

describe('buildSubmitParts', () => {
  it('builds one PDU for a short message', () => {
    const [part, ...rest] = buildSubmitParts(message(), config(), 1);
    expect(rest).toEqual([]);
    expect(part).toMatchObject({
      source_addr_ton: 5,
      source_addr_npi: 0,
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      data_coding: 0,
      registered_delivery: 1,
      validity_period: '',
      short_message: Buffer.from('hello'),
    });
    expect(part).not.toHaveProperty('esm_class');
  });

  it('splits a long message into parts with concatenation headers within the segment limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '€', '[', '😀', 'ж'), minLength: 1, maxLength: 1_000 }),
        (body) => {
          const encoding = /[😀ж]/u.test(body) ? 'ucs-2' : 'gsm-7';
          const parts = buildSubmitParts(message({ body, encoding }), config(), 0x1ff);
          for (const [index, part] of parts.entries()) {
            const octets = part['short_message'] as Buffer;
            const header = parts.length > 1 ? 6 : 0;
            if (header) expect([...octets.subarray(0, 6)]).toEqual([5, 0, 3, 0xff, parts.length, index + 1]);
            const limit = encoding === 'ucs-2' ? 140 : header ? 159 : 160;
            expect(octets.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  it('marks flash messages as configured', () => {
    const flash = (how: 'data-coding' | 'dest-addr-subunit', encoding: 'gsm-7' | 'ucs-2') =>
      buildSubmitParts(message({ flash: true, encoding }), config({ flash: how }), 1)[0];
    expect(flash('data-coding', 'gsm-7')).toMatchObject({
      data_coding: 0xf0,
      short_message: Buffer.from('hello'),
    });
    expect(flash('data-coding', 'ucs-2')).toMatchObject({ data_coding: 0x18 });
    expect(flash('dest-addr-subunit', 'ucs-2')).toMatchObject({ data_coding: 0x08, dest_addr_subunit: 1 });
  });

  it('sets the validity period', () => {
    expect(buildSubmitParts(message(), config({ validityPeriodMinutes: 1_505 }), 1)[0]).toMatchObject({
      validity_period: '000001010500000R',
    });
  });

  it('rejects invalid addresses', () => {
    expect(() => buildSubmitParts(message({ source: 'AC\0ME' }), config(), 1)).toThrow(RangeError);
    expect(() => buildSubmitParts(message({ destination: '+49151' }), config(), 1)).toThrow(RangeError);
    expect(() => buildSubmitParts(message({ body: 'a'.repeat(256 * 153) }), config(), 1)).toThrow(/256 parts/);
  });

  it.each([
    ['ACMEIN', 5, 0],
    ['AD-123', 5, 0],
    ['567678', 3, 0],
    ['491511234567', 1, 1],
    ['+491511234567', 1, 1],
  ])('derives the TON and NPI of %s', (address, ton, npi) => {
    expect(addressPlan(address)).toEqual({ ton, npi });
  });
});
