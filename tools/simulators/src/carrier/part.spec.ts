import fc from 'fast-check';
import { readPart } from './part';
import { readSubmit, TLV, WireError, type SubmitRequest } from './wire';

const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

const submits: fc.Arbitrary<SubmitRequest> = fc.record({
  source: fc.string({ maxLength: 20 }),
  destination: fc.string({ maxLength: 20 }),
  sourceTon: fc.nat(255),
  sourceNpi: fc.nat(255),
  esmClass: fc.nat(255),
  registeredDelivery: fc.nat(255),
  dataCoding: fc.nat(255),
  shortMessage: octets(254),
  tlvs: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...Object.values(TLV)), fc.nat(0xffff)), octets(300)))
    .map((entries) => new Map<number, Buffer>(entries)),
});

const SUBMIT: SubmitRequest = {
  source: 'ACME',
  destination: '919811111111',
  sourceTon: 5,
  sourceNpi: 0,
  esmClass: 0,
  registeredDelivery: 1,
  dataCoding: 0,
  shortMessage: Buffer.alloc(0),
  tlvs: new Map(),
};

describe('a part', () => {
  it.each([
    ['160 characters of a flash message in the default alphabet', 0xf0, 160],
    ['140 octets of 8-bit data of message class 0', 0xf4, 140],
    ['70 characters of a UCS-2 flash message', 0x18, 140],
  ])('may have %s, but not more', (_, dataCoding, octetCount) => {
    const part = (count: number) => readPart({ ...SUBMIT, dataCoding, shortMessage: Buffer.alloc(count, 0x41) });
    expect(part(octetCount)).toMatchObject({ dataCoding, flash: true });
    expect(part(octetCount + 1)).toBeNull();
  });

  it('is parsed or rejected for every submit', () => {
    fc.assert(
      fc.property(submits, (submit) => {
        const part = readPart(submit);
        if (part) expect(part.concatenation.total).toBeLessThanOrEqual(255);
      }),
    );
  });

  it('is parsed or rejected for arbitrary bytes', () => {
    fc.assert(
      fc.property(octets(400), (body) => {
        try {
          readPart(readSubmit(body));
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});
