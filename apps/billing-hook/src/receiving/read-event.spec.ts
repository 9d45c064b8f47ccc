import fc from 'fast-check';
import { readEvent } from './read-event';

const read = (body: unknown) => readEvent(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const event = (object: object = {}, more: object = {}) => ({ id: 'evt_1', type: 'x', data: { object }, ...more });

describe('an event of the processor', () => {
  it('is parsed with the fields that every type has', () => {
    const body = JSON.stringify(event({ customer: 'cus_1' }, { object: 'event', created: 1_790_000_000 }));
    expect(read(body)).toEqual({ id: 'evt_1', type: 'x', created: 1_790_000_000, customer: 'cus_1', text: body });
  });

  it.each([
    ['its id', 'cus_1', 'cus_1'],
    ['an expanded customer', { id: 'cus_1', email: 'x' }, 'cus_1'],
    ['no value', undefined, null],
    ['null', null, null],
    ['a number', 7, null],
    ['an array', ['cus_1'], null],
    ['an empty id', '', null],
    ['an id that is too long', 'c'.repeat(256), null],
  ])('can identify its customer by %s', (_what, customer, expected) => {
    expect(read(event({ customer })).customer).toBe(expected);
  });

  it('without a creation time has none, so that the arrival time is used', () => {
    expect(read(event()).created).toBeNull();
    expect(read(event({}, { created: null })).created).toBeNull();
  });

  it('can be nested 100 levels deep, but not deeper', () => {
    const nested = (levels: number) =>
      JSON.stringify(event()).replace('{}', `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect(() => read(nested(97))).not.toThrow();
    expect(() => read(nested(98))).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }) as Error);
  });

  it('is accepted or rejected for any JSON, without another error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (id, created, object) => {
        for (const body of [
          id,
          { id, type: 'x', created, data: { object } },
          event({ customer: object }, { created }),
        ]) {
          try {
            expect(typeof read(body).id).toBe('string');
          } catch (error) {
            expect(error).toMatchObject({ code: 'INVALID_PAYLOAD', status: 400 });
          }
        }
      }),
    );
  });

  it('is rejected for arbitrary bytes, without another error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readEvent(Buffer.from(bytes))).toThrow(
          expect.objectContaining({ code: 'INVALID_PAYLOAD' }) as Error,
        );
      }),
    );
  });
});
