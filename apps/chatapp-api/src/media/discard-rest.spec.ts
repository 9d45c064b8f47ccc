import { Readable } from 'node:stream';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { of } from 'rxjs';
import { DiscardRestInterceptor } from './discard-rest';

describe('the rest of an upload after the response', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick'] }));
  afterEach(() => jest.useRealTimers());

  /** A request that the interceptor has handled. */
  const respondedTo = (complete: boolean) => {
    const request = Object.assign(new Readable({ read: () => undefined }), { complete });
    const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
    const next: CallHandler = { handle: () => of('response') };
    new DiscardRestInterceptor().intercept(context, next).subscribe();
    return request;
  };
  /** The client sends for a number of seconds. */
  const send = (request: Readable, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      jest.advanceTimersByTime(1_000);
      request.emit('data', Buffer.from('x'));
    }
  };

  it('is discarded while the client sends, for at most half a minute', () => {
    const request = respondedTo(false);
    send(request, 29);
    expect(request.destroyed).toBe(false);
    send(request, 7);
    expect(request.destroyed).toBe(true);
  });

  it('is not awaited if the client stops sending', () => {
    const request = respondedTo(false);
    send(request, 3);
    jest.advanceTimersByTime(11_000);
    expect(request.destroyed).toBe(true);
  });

  it('does not close a connection whose request is complete', () => {
    const complete = respondedTo(true);
    const completed = respondedTo(false);
    completed.complete = true;
    jest.advanceTimersByTime(60_000);
    expect([complete.destroyed, completed.destroyed]).toEqual([false, false]);
  });
});
