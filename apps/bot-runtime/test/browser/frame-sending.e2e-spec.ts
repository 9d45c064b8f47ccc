import { expectEventually, until } from '@heliograph/testing';
import { bubbles, composer, frameTests, inContext, openInHost, posts, said, write } from './frame.fixture';

const at = frameTests();

const REPLY = 'You said: ';

describe('sending', () => {
  it('starts nothing and stores nothing until the visitor acts', () =>
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

  it('begins the conversation with the first message, with the context of the host page', () =>
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

  it('makes one message of a 500 that came after the commit', () =>
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
      await until('nothing waits any more', async () => (await frame.locator('.entry-status').count()) === 0);
      await expectEventually(() => said(frame), ['once', `${REPLY}once`]);
      const [first, second] = posts(at.runtime).map(({ headers }) => headers['idempotency-key']);
      expect(second).toBe(first);
      expect(at.runtime.only().messages).toHaveLength(2);
    }));

  it('obeys Retry-After, says so, and keeps the order', () =>
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
      await frame.getByText('Too many messages at once').waitFor();
      await write(frame, 'second');
      isBusy = false;
      await bubbles(frame).getByText(`${REPLY}second`).waitFor();
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2_990);
      await expectEventually(() => said(frame), ['first', `${REPLY}first`, 'second', `${REPLY}second`]);
    }));

  it('queues without a connection, says so, and delivers once and in order when it is back', () =>
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

  it('delivers after a reload what was on its way', () =>
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

  it('leaves a refused message to the visitor: again, or away', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method, path }) =>
        method === 'POST' && path.endsWith('/messages') ? { status: 400, code: 'INVALID_REQUEST' } : undefined;
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'one');
      await write(frame, 'two');
      await until('both are refused', async () => (await frame.getByText('was not accepted').count()) === 2);
      at.runtime.fault = () => undefined;
      await frame.getByRole('button', { name: 'Delete' }).first().click();
      await frame.getByRole('button', { name: 'Try again' }).click();
      await bubbles(frame).getByText(`${REPLY}two`).waitFor();
      await expectEventually(() => said(frame), ['two', `${REPLY}two`]);
    }));

  it('begins anew, quietly, when the token is not known any more', () =>
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

  it('shows that it is the bot that is away when it becomes unavailable', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = ({ method }) => (method === 'POST' ? { status: 404, code: 'BOT_UNAVAILABLE' } : undefined);
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'hello');
      await frame.getByRole('heading', { name: 'This chat is not available' }).waitFor();
    }));

  it('asks in plain words when what a chip stood for is gone', () =>
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
