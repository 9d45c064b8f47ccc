import fc from 'fast-check';
import { readEvent } from './read-event';

const read = (body: unknown) => readEvent(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const event = (object: object = {}, more: object = {}) => ({ id: 'evt_1', type: 'x', data: { object }, ...more });

describe('an event of the processor', () => {
  it('is read with what every type has', () => {
    const body = JSON.stringify(event({ customer: 'cus_1' }, { object: 'event', created: 1_790_000_000 }));
    expect(read(body)).toEqual({ id: 'evt_1', type: 'x', created: 1_790_000_000, customer: 'cus_1', text: body });
  });

  it.each([
    ['its id', 'cus_1', 'cus_1'],
    ['the customer itself', { id: 'cus_1', email: 'x' }, 'cus_1'],
    ['nothing', undefined, null],
    ['null', null, null],
    ['a number', 7, null],
    ['a list', ['cus_1'], null],
    ['an empty id', '', null],
    ['an endless id', 'c'.repeat(256), null],
  ])('may name its customer by %s', (_what, customer, expected) => {
    expect(read(event({ customer })).customer).toBe(expected);
  });

  it('without a time has none, so that the arrival counts', () => {
    expect(read(event()).created).toBeNull();
  });

  it('may be nested 100 levels deep, and no deeper', () => {
    const nested = (levels: number) =>
      JSON.stringify(event()).replace('{}', `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect(() => read(nested(97))).not.toThrow();
    expect(() => read(nested(98))).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }) as Error);
  });

  it('is read or refused, whatever JSON comes', () => {
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

  it('is read or refused, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readEvent(Buffer.from(bytes))).toThrow(
          expect.objectContaining({ code: 'INVALID_PAYLOAD' }) as Error,
        );
      }),
    );
  });
});
