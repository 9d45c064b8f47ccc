import { randomUUID } from 'node:crypto';
import { pick, upTo } from '@heliograph/bench-data';
import { attempt, callUntilAnswered, type Call } from '../call';
import { Workload } from '../workload';
import { parseStreamedAnswer } from './event-stream-parser';
import { BOT_IDS, FORM_ID, QUESTIONS, SHORTCUT } from './seed-bots';
import type { MessageRecord, TurnAnswer, VisitorConversation, VisitorPost } from './visitor-conversation';

const MAX_PAUSE_MS = 240;
const MAX_TURNS = 14;
const MAX_PATIENCE_MS = 40;
const REPEATED_SHARE = 0.12;
const STREAMED_SHARE = 0.2;
const EVENT_STREAM_SHARE = 0.7;
/** Several visitors submit the same email address. */
const EMAIL_ADDRESSES = 15;

interface StartAnswer {
  conversation: { id: string };
  conversationToken: string;
  reply?: MessageRecord;
}

interface PostBody {
  path: string;
  content: object;
  email?: string;
}

/**
 * A visitor who has one conversation after another: asks, clicks, submits forms, posts the same message twice
 * concurrently, leaves before the response, ends and reopens. Every post is retried at either replica until it is
 * answered, unless the visitor leaves.
 */
export class VisitorWorkload extends Workload {
  readonly conversations: VisitorConversation[] = [];

  constructor(
    private readonly urls: readonly string[],
    private readonly openStream: (conversation: VisitorConversation) => void,
  ) {
    super();
  }

  protected async runOnce(): Promise<void> {
    const conversation = await this.startConversation();
    if (!conversation) return;
    if (Math.random() < EVENT_STREAM_SHARE) this.openStream(conversation);
    for (let turn = 0; turn < MAX_TURNS && this.isRunning && !conversation.isOver; turn++) {
      await this.act(conversation);
      await this.pause(Math.random() * MAX_PAUSE_MS);
    }
  }

  private async startConversation(): Promise<VisitorConversation | null> {
    const message = Math.random() < 0.5 ? pick(QUESTIONS) : undefined;
    const answer = await callUntilAnswered<StartAnswer>(
      {
        name: 'the start of a conversation',
        url: () => `${pick(this.urls)}/api/v1/chat/conversations`,
        body: { botId: pick(BOT_IDS), channel: pick(['web', 'hosted']), message },
      },
      this,
    );
    if (!answer) return null;
    const { conversation, conversationToken: token, reply: openingReply = null } = answer;
    if ((message !== undefined) !== (openingReply !== null))
      this.problems.push(`the start of ${conversation.id} has no reply`);
    const started = { id: conversation.id, token, step: 0, posts: [], openingReply, isOver: false };
    this.conversations.push(started);
    return started;
  }

  private async act(conversation: VisitorConversation): Promise<void> {
    const chance = Math.random();
    const question = (): PostBody => nextQuestion(conversation);
    if (chance < 0.5) await this.post(conversation, question());
    else if (chance < 0.62)
      await Promise.all([this.post(conversation, question()), this.post(conversation, question())]);
    else if (chance < 0.7) await this.postConcurrently(conversation, question());
    else if (chance < 0.8) await this.post(conversation, submission());
    else if (chance < 0.9) await this.abandon(conversation, Math.random() < 0.5 ? question() : submission());
    else await this.endAndReopen(conversation);
    conversation.step++;
  }

  private async post(
    conversation: VisitorConversation,
    body: PostBody,
    idempotencyKey: string = randomUUID(),
  ): Promise<VisitorPost | null> {
    const isStreamed = body.path === 'messages' && Math.random() < STREAMED_SHARE;
    const call = this.callFor(conversation, body, idempotencyKey, isStreamed);
    const { step } = conversation;
    const problems = this.problems.length;
    const answer = await callUntilAnswered(call, this);
    // An illegal refusal is already reported.
    if (!answer && this.problems.length > problems) return null;
    const post = recordOf(body, { idempotencyKey, step, outcome: answer ? 'answered' : 'refused', answer });
    conversation.posts.push(post);
    if (!answer) await this.checkWhetherOver(conversation);
    else if (Math.random() < REPEATED_SHARE) await this.repeat(call.name, conversation, body, post);
    return post;
  }

  /** Posts with the same key to both replicas concurrently, as an impatient client does. */
  private async postConcurrently(conversation: VisitorConversation, body: PostBody): Promise<void> {
    const idempotencyKey = randomUUID();
    const call = this.callFor(conversation, body, idempotencyKey, false);
    const [post, second] = await Promise.all([
      this.post(conversation, body, idempotencyKey),
      callUntilAnswered(call, this),
    ]);
    if (post?.answer && second) this.expectSame(call.name, post.answer, second);
    // One of the two arrived before the conversation was closed.
    if (post && !post.answer && second) Object.assign(post, { outcome: 'answered', answer: second });
  }

  private async repeat(
    name: string,
    conversation: VisitorConversation,
    body: PostBody,
    { idempotencyKey, answer }: VisitorPost,
  ): Promise<void> {
    const repeated = await callUntilAnswered(this.callFor(conversation, body, idempotencyKey, false), this);
    this.expectSame(name, answer, repeated);
  }

  /** Disconnects during the call; its outcome remains unknown. */
  private async abandon(conversation: VisitorConversation, body: PostBody): Promise<void> {
    const idempotencyKey = randomUUID();
    const { step } = conversation;
    conversation.posts.push(recordOf(body, { idempotencyKey, step, outcome: 'abandoned', answer: null }));
    await attempt(this.callFor(conversation, body, idempotencyKey, false), upTo(MAX_PATIENCE_MS))
      .then((response) => response.text())
      .catch(() => undefined);
  }

  private async endAndReopen(conversation: VisitorConversation): Promise<void> {
    const feedback = { rating: upTo(5), message: 'Thank you.' };
    const ended = await this.change(conversation, 'end');
    if (ended && Math.random() < 0.4) await this.change(conversation, 'feedback', feedback);
    if (Math.random() < 0.8) await this.change(conversation, 'reopen');
    else conversation.isOver = true;
  }

  private async checkWhetherOver(conversation: VisitorConversation): Promise<void> {
    if (!(await this.change(conversation, 'reopen'))) conversation.isOver = true;
  }

  private change(conversation: VisitorConversation, path: string, content: object = {}): Promise<object | null> {
    return callUntilAnswered<object>(this.callFor(conversation, { path, content }, randomUUID(), false), this);
  }

  private callFor(
    { id, token }: VisitorConversation,
    { path, content }: PostBody,
    idempotencyKey: string,
    isStreamed: boolean,
  ): Call<TurnAnswer> {
    return {
      name: `the post ${idempotencyKey} to ${path} of ${id}`,
      url: () => `${pick(this.urls)}/api/v1/chat/conversations/${id}/${path}`,
      bearerToken: token,
      idempotencyKey,
      body: content,
      // An agent closed the conversation, or the visitor ended it meanwhile.
      mayRefuse: /CONVERSATION_CLOSED/,
      ...(isStreamed ? { headers: () => ({ accept: 'text/event-stream' }), parse: parseStreamedAnswer } : {}),
    };
  }
}

function recordOf({ email }: PostBody, post: Omit<VisitorPost, 'email'>): VisitorPost {
  return { ...post, ...(email === undefined ? {} : { email }) };
}

function nextQuestion({ posts, openingReply }: VisitorConversation): PostBody {
  const offered = (posts.at(-1)?.answer?.reply ?? openingReply)?.quickReplies;
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

function submission(): PostBody {
  const email = `visitor-${upTo(EMAIL_ADDRESSES)}@chaos.example`;
  return { path: `forms/${FORM_ID}/submissions`, content: { answers: { name: 'Visitor', email } }, email };
}
