import { expectEventually, until } from '@heliograph/testing';
import { bubbles, composer, frameTests, inContext, openInHost, posts, said, write } from './frame.fixture';

const at = frameTests();

const REPLY = 'You said: ';

describe('sending', () => {
  it('sends no request and stores no data until the visitor sends a message', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await composer(frame).fill('not sent');
      expect(at.runtime.calls).toEqual([]);
      expect(await frame.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
        0,
        0,
        '',
      ]);
    }));

  it('starts the conversation with the first message and the context of the host page', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime, {
        pageUrl: 'https://shop.example/a',
        referrer: 'https://find.example/',
      });
      await write(frame, 'hello');
      await bubbles(frame).getByText(`${REPLY}hello`).waitFor();
      expect(at.runtime.calls[0]).toMatchObject({
        path: '/api/v1/chat/conversations',
        body: {
          botId: 'bot_acme_help',
          channel: 'web',
          client: {
            pageUrl: 'https://shop.example/a',
            referrer: 'https://find.example/',
            language: 'en-US',
            platform: expect.any(String) as string,
          },
        },
      });
      expect(posts(at.runtime)[0]?.headers['idempotency-key']).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
    }));

  it('sends one message for a double Enter', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await composer(frame).fill('once');
      await Promise.all([composer(frame).press('Enter'), composer(frame).press('Enter')]);
      await bubbles(frame).getByText(`${REPLY}once`).waitFor();
      await expectEventually(() => said(frame), ['once', `${REPLY}once`]);
      expect(posts(at.runtime)).toHaveLength(1);
    }));

  it('stores one message if the server returns 500 after the commit', () =>
    inContext(at.browser, async (context) => {
      let isFirst = true;
      at.runtime.fault = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/messages') || !isFirst) return undefined;
        isFirst = false;
        return { status: 500, afterCommit: true };
      };
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'once');
      await until('the message was sent again', () => posts(at.runtime).length === 2);
      await until('no message is waiting', async () => (await frame.locator('.entry-status').count()) === 0);
      await expectEventually(() => said(frame), ['once', `${REPLY}once`]);
      const [first, second] = posts(at.runtime).map(({ headers }) => headers['idempotency-key']);
      expect(second).toBe(first);
      expect(at.runtime.only().messages).toHaveLength(2);
    }));

  it('respects Retry-After, shows the reason, and preserves the order', () =>
    inContext(at.browser, async (context) => {
      const times: number[] = [];
      let isBusy = true;
      at.runtime.fault = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/messages')) return undefined;
        times.push(Date.now());
        return isBusy ? { status: 429, code: 'RATE_LIMITED', retryAfter: 3 } : undefined;
      };
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'first');
      await frame.getByText('Too many messages in a short time').waitFor();
      await write(frame, 'second');
      isBusy = false;
      await bubbles(frame).getByText(`${REPLY}second`).waitFor();
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2_990);
      await expectEventually(() => said(frame), ['first', `${REPLY}first`, 'second', `${REPLY}second`]);
    }));

  it('queues messages without a connection, shows this, and delivers them once and in order afterwards', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await context.setOffline(true);
      await frame.getByText('You are offline').waitFor();
      for (const text of ['one', 'two', 'three']) await write(frame, text);
      await expectEventually(() => frame.getByText('Waiting for a connection').count(), 3);
      expect(at.runtime.calls).toEqual([]);
      await context.setOffline(false);
      await bubbles(frame).getByText(`${REPLY}three`).waitFor();
      expect(
        at.runtime
          .only()
          .messages.filter(({ role }) => role === 'user')
          .map(({ content }) => content),
      ).toEqual(['one', 'two', 'three']);
      await expectEventually(() => frame.getByText('You are offline').count(), 0);
    }));

  it('delivers unsent messages after a reload', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method }) => (method === 'POST' ? { status: 503 } : undefined);
      const { page, frame } = await openInHost(context, at.runtime);
      await write(frame, 'keep me');
      await frame.getByText('Not sent yet').waitFor();
      at.runtime.fault = () => undefined;
      const next = await openInHost(context, at.runtime, {}, page);
      await bubbles(next.frame).getByText(`${REPLY}keep me`).waitFor();
      expect(at.runtime.only().messages).toHaveLength(2);
    }));

  it('allows the visitor to retry or delete a rejected message', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method, path }) =>
        method === 'POST' && path.endsWith('/messages') ? { status: 400, code: 'INVALID_REQUEST' } : undefined;
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'one');
      await write(frame, 'two');
      await until('both messages are rejected', async () => (await frame.getByText('was not accepted').count()) === 2);
      at.runtime.fault = () => undefined;
      await frame.getByRole('button', { name: 'Delete' }).first().click();
      await frame.getByRole('button', { name: 'Try again' }).click();
      await bubbles(frame).getByText(`${REPLY}two`).waitFor();
      await expectEventually(() => said(frame), ['two', `${REPLY}two`]);
    }));

  it('starts a new conversation without a message if the token is unknown', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'before');
      await bubbles(frame).getByText(`${REPLY}before`).waitFor();
      at.runtime.dropStreams();
      at.runtime.conversations.clear();
      await write(frame, 'after');
      await bubbles(frame).getByText(`${REPLY}after`).waitFor();
      await expectEventually(() => said(frame), ['after', `${REPLY}after`]);
      await expectEventually(() => frame.locator('.is-refused').count(), 0);
    }));

  it('shows that the bot is unavailable if the server returns BOT_UNAVAILABLE', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method }) => (method === 'POST' ? { status: 404, code: 'BOT_UNAVAILABLE' } : undefined);
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'hello');
      await frame.getByRole('heading', { name: 'This chat is not available' }).waitFor();
    }));

  it('sends a message with a new key after BOT_UNAVAILABLE, because the server replays the response to the old key', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method, path }) =>
        method === 'POST' && path.endsWith('/messages') ? { status: 404, code: 'BOT_UNAVAILABLE' } : undefined;
      const { page, frame } = await openInHost(context, at.runtime);
      await write(frame, 'hello');
      await frame.getByRole('heading', { name: 'This chat is not available' }).waitFor();
      at.runtime.fault = () => undefined;
      const next = await openInHost(context, at.runtime, {}, page);
      await next.frame.getByRole('button', { name: 'Try again' }).click();
      await bubbles(next.frame).getByText(`${REPLY}hello`).waitFor();
      const [first, second] = posts(at.runtime).map(({ headers }) => headers['idempotency-key']);
      expect(second).not.toBe(first);
    }));

  it('sends the text of a chip as a message if its action is no longer valid', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ body }) => (body['action'] ? { status: 400, code: 'INVALID_ACTION' } : undefined);
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('button', { name: 'What are your opening hours?' }).click();
      await bubbles(frame).getByText(`${REPLY}What are your opening hours?`).waitFor();
      expect(posts(at.runtime).map(({ body }) => body)).toEqual([
        { message: 'What are your opening hours?', action: { type: 'faq', id: 'hours' } },
        { message: 'What are your opening hours?' },
      ]);
    }));
});
