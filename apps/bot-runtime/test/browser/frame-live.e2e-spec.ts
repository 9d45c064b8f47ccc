import { eventually, expectEventually, until } from '@heliograph/testing';
import { bubbles, composer, frameTests, inContext, openInHost, remember, said, write } from './frame.fixture';

const at = frameTests();

const TALK = [{ role: 'user' as const, content: 'Is anybody there?' }, { content: 'I am.' }];

describe('live replies', () => {
  it('show messages of an agent and the name of the agent', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      at.runtime.change(conversation, { paused: true });
      at.runtime.say(conversation, { content: 'Hello, Maya here.', metadata: { author: 'agent', agentName: 'Maya' } });
      await bubbles(frame).getByText('Hello, Maya here.').waitFor();
      await frame.getByText('You are talking with Maya').waitFor();
      // During a takeover, the chat does not show that the bot is typing; the visitor continues to write.
      const release = at.runtime.hold();
      await write(frame, 'thank you');
      await until('the message is in progress', () => conversation.messages.length === 4);
      await expectEventually(() => frame.locator('.dots').count(), 0);
      release();
      at.runtime.change(conversation, { paused: false });
      await until('the banner is hidden', async () => (await frame.getByText('You are talking with').count()) === 0);
    }));

  it('are complete when the stream drops while an agent replies and ends the chat', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      at.runtime.dropStreams();
      conversation.messages.push({
        ...conversation.messages[1]!,
        id: 'late',
        content: 'One more thing.',
        createdAt: new Date().toISOString(),
      });
      conversation.status = 'closed';
      await bubbles(frame).getByText('One more thing.').waitFor();
      await frame.getByText('Our team has closed this chat.').waitFor();
      await expectEventually(() => said(frame), ['Is anybody there?', 'I am.', 'One more thing.']);
    }));

  it('arrive within ten seconds although a proxy buffers the stream', () =>
    inContext(at.browser, async (context) => {
      at.runtime.areStreamsBuffered = true;
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      await context.clock.install();
      const { page, frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      await bubbles(frame).getByText('I am.').waitFor();
      const isAsking = () => at.runtime.calls.filter(({ path }) => path.endsWith('/messages')).length > 1;
      at.runtime.say(conversation, { content: 'Held back.' });
      await page.clock.runFor(10_000);
      await until('the chat polls', isAsking, { timeoutMs: 5_000 });
      await bubbles(frame).getByText('Held back.').waitFor();
    }));

  it('end polling when the stream delivers data', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      await context.clock.install();
      const { page, frame } = await openInHost(context, at.runtime);
      await bubbles(frame).getByText('I am.').waitFor();
      await until('the stream is open', () => conversation.streams.size === 1);
      const pollCount = () => at.runtime.calls.filter(({ path }) => path.endsWith('/messages')).length;
      // The first byte of the stream may not have arrived yet; without an end, polling would cause more calls every 30
      // s.
      await until('30 s pass without a call', async () => {
        const before = pollCount();
        await page.clock.runFor(30_000);
        return pollCount() === before;
      });
    }));

  it('close the stream when the page is hidden and open it again when the page is shown', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { page, frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      await frame.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
      await until('the stream is closed', () => conversation.streams.size === 0);
      at.runtime.say(conversation, { content: 'While you were away.' });
      await frame.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await bubbles(frame).getByText('While you were away.').waitFor();
      await page.close();
      await until('the stream is closed permanently', () => conversation.streams.size === 0);
    }));

  it('grow while a language model writes them, and become one message that is announced once', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await frame.locator('.log[aria-live=polite]').waitFor();
      let finish = () => undefined as void;
      at.runtime.deltas = { parts: ['A **long', '** answer'], until: new Promise((resolve) => (finish = resolve)) };
      at.runtime.reply = () => ({ content: 'A **long** answer.' });
      await frame.evaluate(() => {
        const added: string[] = [];
        Object.assign(window, { added });
        new MutationObserver((records) => {
          for (const { addedNodes } of records) for (const node of addedNodes) added.push(node.textContent ?? '');
        }).observe(document.querySelector('[role=log]')!, { childList: true });
      });
      await write(frame, 'explain');
      await frame.locator('.row-draft').getByText('A long answer', { exact: true }).waitFor();
      await expectEventually(() => frame.locator('.row-draft strong').innerText(), 'long');
      await expectEventually(() => frame.locator('.dots').count(), 0);
      finish();
      await bubbles(frame).getByText('A long answer.', { exact: true }).waitFor();
      await until('the draft is removed', async () => (await frame.locator('.row-draft').count()) === 0);
      const added = await frame.evaluate(() => (window as unknown as { added: string[] }).added);
      expect(added.filter((text) => text.includes('explain'))).toHaveLength(1);
      expect(added.filter((text) => text.includes('long'))).toHaveLength(1);
      expect(added).toHaveLength(2);
    }));

  it('show that the bot is typing, and hide this after six seconds without an event', () =>
    inContext(at.browser, async (context) => {
      at.runtime.hold();
      await context.clock.install();
      const { page, frame } = await openInHost(context, at.runtime);
      await write(frame, 'hello');
      await frame.getByRole('status').getByText('Acme Help is typing…').waitFor();
      await page.clock.runFor(6_000);
      await expectEventually(() => frame.locator('.dots').count(), 0, { timeoutMs: 3_000 });
    }));
});

describe('two tabs', () => {
  it('share a conversation that was started in either tab', () =>
    inContext(at.browser, async (context) => {
      const one = await openInHost(context, at.runtime);
      const two = await openInHost(context, at.runtime);
      await write(one.frame, 'from one');
      await bubbles(two.frame).getByText('You said: from one').waitFor();
      await write(two.frame, 'from two');
      await bubbles(one.frame).getByText('You said: from two').waitFor();
      const all = ['from one', 'You said: from one', 'from two', 'You said: from two'];
      await expectEventually(() => said(one.frame), all);
      await expectEventually(() => said(two.frame), all);
      expect(at.runtime.conversations.size).toBe(1);
    }));

  it('both update when one of them ends the chat and starts another', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed(TALK));
      const one = await openInHost(context, at.runtime);
      await bubbles(one.frame).getByText('I am.').waitFor();
      const two = await openInHost(context, at.runtime);
      await bubbles(two.frame).getByText('I am.').waitFor();
      await one.frame.getByRole('button', { name: 'Chat options' }).click();
      await one.frame.getByRole('button', { name: 'End chat' }).click();
      await one.frame.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
      await two.frame.getByText('This chat has ended.').waitFor();
      await one.frame.getByRole('button', { name: 'New chat' }).click();
      await composer(one.frame).waitFor();
      await composer(two.frame).waitFor();
      await expectEventually(() => said(two.frame), []);
    }));
});

describe('a closed panel', () => {
  it('reports the number of unread messages with a preview of the newest, and none after it was opened', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation, { seen: conversation.messages[1]!.id });
      const { frame, heard, tell } = await openInHost(context, at.runtime, { isOpen: false });
      await until('the stream is open', () => conversation.streams.size === 1);
      const unread = async () => (await heard()).filter(({ type }) => type === 'unread').at(-1);
      at.runtime.say(conversation, { content: 'Your **parcel** is here.' });
      await until('one message is unread', async () => (await unread())?.['preview'] === 'Your parcel is here.');
      at.runtime.say(conversation, { content: `Long ${'news '.repeat(60)}` });
      await until('two messages are unread', async () => (await unread())?.['count'] === 2);
      expect(String((await unread())?.['preview'])).toMatch(/^Long news .{100,140}…$/);
      await tell({ type: 'visible', isOpen: true, isFullScreen: false });
      await until('nothing is unread', async () => (await unread())?.['count'] === 0);
      expect((await heard()).filter(({ type }) => type === 'message')).toEqual([
        { type: 'message', role: 'assistant' },
        { type: 'message', role: 'assistant' },
      ]);
      await eventually(async () =>
        expect(await frame.evaluate(() => localStorage.getItem('heliograph:bot_acme_help'))).toContain(
          conversation.messages.at(-1)!.id,
        ),
      );
    }));
});
