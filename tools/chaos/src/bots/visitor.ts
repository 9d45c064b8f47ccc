import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pick } from '../random';
import { untilAnswered, type Call, type Conduct } from '../until-answered';
import type { Chat, MessageRecord, Post, TurnAnswer } from './chat-records';
import { BOT_IDS, FORM_ID, QUESTIONS, SHORTCUT } from './seed-bots';
import { answerOfStream } from './sse';

const PACE_MS = 120;
const MOST_TURNS = 14;
const REPEATED_SHARE = 0.12;
const STREAMED_SHARE = 0.2;
const LISTENED_SHARE = 0.7;
/** Several visitors leave the same address. */
const ADDRESSES = 15;
const CLOSED = /CONVERSATION_CLOSED/;

interface Body {
  path: string;
  content: object;
  email?: string;
}

/**
 * Somebody who talks to a bot, conversation after conversation: asks, clicks, fills in forms, asks two things at once,
 * or the same at both processes, leaves before the answer, ends and reopens. What is not left is tried, at either
 * process, until it is answered for good; now and then an answered post is sent once more, which must be answered the same.
 */
export class Visitor implements Conduct {
  readonly problems: string[] = [];
  readonly chats: Chat[] = [];
  retries = 0;
  private running = true;
  private readonly life: Promise<void>;

  constructor(
    private readonly urls: readonly string[],
    private readonly listen: (chat: Chat) => void,
  ) {
    this.life = this.live();
  }

  /** Nothing new; resolves when all that was begun is answered. */
  async stop(): Promise<void> {
    this.running = false;
    await this.life;
  }

  private async live(): Promise<void> {
    while (this.running) {
      const chat = await this.start();
      if (!chat) continue;
      if (Math.random() < LISTENED_SHARE) this.listen(chat);
      for (let turn = 0; turn < MOST_TURNS && this.running && !chat.isOver; turn++) {
        await this.act(chat);
        await delay(Math.random() * 2 * PACE_MS);
      }
    }
  }

  private async start(): Promise<Chat | null> {
    const message = Math.random() < 0.5 ? pick(QUESTIONS) : undefined;
    const answer = await untilAnswered<{
      conversation: { id: string };
      conversationToken: string;
      reply?: MessageRecord;
    }>(
      {
        name: 'the start of a conversation',
        url: () => `${pick(this.urls)}/api/v1/chat/conversations`,
        headers: () => ({ 'content-type': 'application/json' }),
        body: JSON.stringify({ botId: pick(BOT_IDS), channel: pick(['web', 'hosted']), message }),
      },
      this,
    );
    if (!answer) return null;
    const { conversation, conversationToken: token, reply: opening = null } = answer;
    if ((message !== undefined) !== (opening !== null)) this.problems.push(`the start ${conversation.id} has no reply`);
    const chat: Chat = { id: conversation.id, token, step: 0, posts: [], opening, isOver: false };
    this.chats.push(chat);
    return chat;
  }

  private async act(chat: Chat): Promise<void> {
    const chance = Math.random();
    if (chance < 0.5) await this.post(chat, this.question(chat));
    else if (chance < 0.62)
      await Promise.all([this.post(chat, this.question(chat)), this.post(chat, this.question(chat))]);
    else if (chance < 0.7) await this.postTwice(chat, this.question(chat));
    else if (chance < 0.8) await this.post(chat, this.submission());
    else if (chance < 0.9) await this.leave(chat, Math.random() < 0.5 ? this.question(chat) : this.submission());
    else await this.endAndReopen(chat);
    chat.step++;
  }

  private question(chat: Chat): Body {
    const offered = (chat.posts.at(-1)?.answer?.reply ?? chat.opening)?.quickReplies;
    const chance = Math.random();
    if (offered && chance < 0.4) {
      const { label, action } = pick(offered);
      return { path: 'messages', content: { message: label, action } };
    }
    if (chance > 0.92) {
      return { path: 'messages', content: { message: 'Returns', action: { type: 'shortcut', ...SHORTCUT } } };
    }
    return { path: 'messages', content: { message: pick(QUESTIONS) } };
  }

  private submission(): Body {
    const email = `visitor-${Math.floor(Math.random() * ADDRESSES)}@chaos.example`;
    return { path: `forms/${FORM_ID}/submissions`, content: { answers: { name: 'Somebody', email } }, email };
  }

  private async post(chat: Chat, body: Body, key: string = randomUUID()): Promise<Post | null> {
    const call = this.callOf(chat, body, key, body.path === 'messages' && Math.random() < STREAMED_SHARE);
    const { step } = chat;
    const problems = this.problems.length;
    const answer = await untilAnswered<TurnAnswer>(call, this);
    // What was refused for no legal reason is told already.
    if (!answer && this.problems.length > problems) return null;
    const email = body.email === undefined ? {} : { email: body.email };
    const post: Post = { key, step, outcome: answer ? 'answered' : 'refused', answer, ...email };
    chat.posts.push(post);
    if (!answer) await this.look(chat);
    else if (Math.random() < REPEATED_SHARE) {
      const again = await untilAnswered<TurnAnswer>(this.callOf(chat, body, key, false), this);
      this.compare(call.name, answer, again);
    }
    return post;
  }

  /** The same key at both processes at once, as a client that has lost its patience does. */
  private async postTwice(chat: Chat, body: Body): Promise<void> {
    const key = randomUUID();
    const first = this.post(chat, body, key);
    const again = await untilAnswered<TurnAnswer>(this.callOf(chat, body, key, false), this);
    const post = await first;
    if (!post) return;
    if (post.answer && again) this.compare(`the post ${key}`, post.answer, again);
    // One of the two came before the conversation was closed, so it counts.
    if (!post.answer && again) Object.assign(post, { outcome: 'answered', answer: again });
  }

  private compare(name: string, first: TurnAnswer, again: TurnAnswer | null): void {
    if (isDeepStrictEqual(first, again)) return;
    this.problems.push(`${name} was answered ${JSON.stringify(first)} and, repeated, ${JSON.stringify(again)}`);
  }

  /** Closes the tab in the middle of a call. What became of it nobody asks. */
  private async leave(chat: Chat, body: Body): Promise<void> {
    const key = randomUUID();
    const { url, headers, body: text } = this.callOf(chat, body, key, false);
    const email = body.email === undefined ? {} : { email: body.email };
    chat.posts.push({ key, step: chat.step, outcome: 'abandoned', answer: null, ...email });
    const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 40));
    const address = typeof url === 'function' ? url() : url;
    await fetch(address, { method: 'POST', headers: headers(), body: text ?? null, signal })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }

  private async endAndReopen(chat: Chat): Promise<void> {
    const feedback = { rating: 1 + Math.floor(Math.random() * 5), message: 'Thank you.' };
    if ((await this.change(chat, 'end', {})) && Math.random() < 0.4) await this.change(chat, 'feedback', feedback);
    if (Math.random() < 0.8) await this.change(chat, 'reopen', {});
    else chat.isOver = true;
  }

  /** Whether it is open, after it was said that it is not. */
  private async look(chat: Chat): Promise<void> {
    if (!(await this.change(chat, 'reopen', {}))) chat.isOver = true;
  }

  private change(chat: Chat, what: string, content: object): Promise<object | null> {
    const call = this.callOf(chat, { path: what, content }, randomUUID(), false);
    return untilAnswered<object>(call, this);
  }

  private callOf(chat: Chat, { path, content }: Body, key: string, isStreamed: boolean): Call<TurnAnswer> {
    return {
      name: `the post ${key} to ${path} of ${chat.id}`,
      url: () => `${pick(this.urls)}/api/v1/chat/conversations/${chat.id}/${path}`,
      headers: () => ({
        authorization: `Bearer ${chat.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(isStreamed ? { accept: 'text/event-stream' } : {}),
      }),
      body: JSON.stringify(content),
      // A person has closed it, or the visitor ended it meanwhile.
      mayRefuse: CLOSED,
      ...(isStreamed ? { parse: answerOfStream } : {}),
    };
  }
}
