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

describe('a part', () => {
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
