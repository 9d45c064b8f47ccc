import fc from 'fast-check';
import { retryAfterMs } from './api-error';
import { SseReader } from './sse-reader';

const STREAM =
  ': hello\n\nevent: message\nid: 7\ndata: {"a":1}\n\n: beat\n\ndata: one\ndata: two\r\n\r\nevent: conversation\rdata:x\r\revent: nothing\n\n';
const EVENTS = [
  { event: 'message', data: '{"a":1}', id: '7' },
  { event: 'message', data: 'one\ntwo', id: '7' },
  { event: 'conversation', data: 'x', id: '7' },
];

describe('the reader of event streams', () => {
  it('returns the same events for any chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 })), (lengths) => {
        const reader = new SseReader();
        const events = [];
        let at = 0;
        for (const length of [...lengths, STREAM.length]) {
          events.push(...reader.read(STREAM.slice(at, at + length)));
          at += length;
        }
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  it('returns no incomplete event', () => {
    expect(new SseReader().read('data: {"a":')).toEqual([]);
  });
});

describe('Retry-After', () => {
  it('is parsed from seconds or a date to milliseconds from now', () => {
    const now = Date.parse('2026-11-22T10:00:00Z');
    expect(retryAfterMs('30', now)).toBe(30_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 09:00:00 GMT', now)).toBe(0);
    for (const none of [null, '', 'soon']) expect(retryAfterMs(none, now)).toBeNull();
  });
});
