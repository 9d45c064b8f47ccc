import { expectEventually, until } from '@heliograph/testing';
import type { Frame, Page } from 'playwright-core';
import { bubbles, frameTests, inContext, openInHost, remember, write } from './frame.fixture';

const at = frameTests();

const note = (view: Frame | Page) => view.locator('.header-note');
/** The color of the dot before the note, or null without a dot. */
const dot = (view: Frame | Page): Promise<string | null> =>
  note(view).evaluate((element) => {
    const { content, backgroundColor } = getComputedStyle(element, '::before');
    return content === 'none' ? null : backgroundColor;
  });
const nameAt = async (frame: Frame) => {
  const { x, y, height } = (await frame.getByRole('heading', { name: 'Acme Help' }).boundingBox())!;
  return { x, y, height };
};
const GREEN = 'rgb(52, 194, 107)';
const EMPTY = 'rgba(0, 0, 0, 0)';

/** The line below the name of the bot tells who answers. */
describe('the header', () => {
  it('promises an answer in seconds only while the bot answers, and names the person who has taken over', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed([{ content: 'Hello' }]);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await note(frame).getByText('Replies in seconds').waitFor();
      expect(await dot(frame)).toBe(GREEN);
      const before = await nameAt(frame);
      await until('the stream is open', () => conversation.streams.size === 1);

      at.runtime.reply = () => ({ content: 'I have asked the team.', metadata: { author: 'bot', via: 'handoff' } });
      await write(frame, 'Talk to a person');
      await note(frame).getByText('We have notified our team').waitFor();
      expect(await dot(frame)).toBeNull();

      at.runtime.change(conversation, { paused: true });
      await note(frame).getByText('You are talking with our team').waitFor();
      at.runtime.say(conversation, { content: 'I am here.', metadata: { author: 'agent', agentName: 'Maya' } });
      await note(frame).getByText('You are talking with Maya').waitFor();
      expect(await dot(frame)).toBeNull();

      at.runtime.change(conversation, { paused: false });
      await note(frame).getByText('Replies in seconds').waitFor();
      expect(await dot(frame)).toBe(GREEN);
      expect(await nameAt(frame)).toEqual(before);
    }));

  it('shows no green dot while the browser is offline', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await note(frame).getByText('Replies in seconds').waitFor();
      await context.setOffline(true);
      await note(frame).getByText('No connection').waitFor();
      expect(await dot(frame)).toBe(EMPTY);
      await context.setOffline(false);
      await note(frame).getByText('Replies in seconds').waitFor();
    }));

  it('shows no green dot while the runtime does not answer, with and without a message to send', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed([{ content: 'Hello' }]);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      at.runtime.fault = () => ({ status: 503 });
      at.runtime.dropStreams();
      await note(frame).getByText('No connection').waitFor();
      at.runtime.fault = () => undefined;
      await note(frame).getByText('Replies in seconds').waitFor();

      at.runtime.fault = ({ method }) => (method === 'POST' ? { status: 503 } : undefined);
      await write(frame, 'Anybody?');
      await note(frame).getByText('No connection').waitFor();
      at.runtime.fault = () => undefined;
      await bubbles(frame).getByText('You said: Anybody?').waitFor();
      await note(frame).getByText('Replies in seconds').waitFor();
    }));

  it('does not move the name of the bot while a stored conversation is loaded', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Hello' }]));
      at.runtime.fault = () => 'hang';
      const { frame, page } = await openInHost(context, at.runtime);
      await expectEventually(() => note(frame).innerText(), '');
      const loading = await nameAt(frame);
      at.runtime.fault = () => undefined;
      const again = await openInHost(context, at.runtime, {}, page);
      await note(again.frame).getByText('Replies in seconds').waitFor();
      expect(await nameAt(again.frame)).toEqual(loading);
    }));
});
