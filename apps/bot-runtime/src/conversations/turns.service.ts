import { Inject, Injectable } from '@nestjs/common';
import { BotDirectory } from '@heliograph/bot-catalog';
import {
  conversationClosed,
  type ContactRow,
  type QuestionRow,
  type SubmissionRow,
  type TurnRow,
} from '@heliograph/bot-conversations';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import type { IdempotentCall } from '@heliograph/idempotency';
import { Backlog } from '@heliograph/messaging';
import type { Asked, Replied } from '../replies/reply';
import { LiveConversations } from '../live/live-conversations';
import { botUnavailable } from './bot-unavailable';
import { composeTurn, saidMessage } from './compose-turn';
import { ConversationsRepository, type ConversationState } from './conversations.repository';
import type { SaidMessage } from './records.dto';
import { ReplyService } from './reply.service';
import { TurnMetrics } from './turn-metrics';
import { TurnQueue } from './turn-queue';
import { TurnWriter } from './turn-writer';

const MOST_ATTEMPTS = 10;

/** What a visitor does, before there is an answer to it. */
export interface Turn {
  asked: Asked;
  question: QuestionRow;
  submission: SubmissionRow | null;
  contact: ContactRow | null;
  call: IdempotentCall | null;
  correlationId: string;
  /** Parts of a reply while a language model writes it. */
  onDelta?: (text: string) => void;
}

/** A turn that is stored. */
export interface TakenTurn {
  question: SaidMessage;
  /** Null while a person answers. */
  reply: SaidMessage | null;
  paused: boolean;
}

/** Takes turns of conversations that are there: makes the reply, and commits it together with the question. */
@Injectable()
export class TurnsService {
  private readonly queue = new TurnQueue();

  constructor(
    @Inject(BotDirectory) private readonly directory: BotDirectory,
    @Inject(ConversationsRepository) private readonly conversations: ConversationsRepository,
    @Inject(ReplyService) private readonly replies: ReplyService,
    @Inject(TurnWriter) private readonly writer: TurnWriter,
    @Inject(LiveConversations) private readonly live: LiveConversations,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(TurnMetrics) private readonly metrics: TurnMetrics,
  ) {
    metrics.watch(this.queue);
  }

  /**
   * 'repeated' means that another process holds the turn's idempotency key. Throws CONVERSATION_CLOSED, BOT_UNAVAILABLE,
   * INVALID_ACTION; then nothing is stored.
   */
  take(found: ConversationState, turn: Turn): Promise<TakenTurn | 'repeated'> {
    this.backlog.assertRoom();
    return this.queue.run(found.id, async (waited) => {
      const startedAt = performance.now();
      let conversation = waited ? await this.read(found.id) : found;
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        // What was shown of a reply that came to nothing is taken back by the one that is stored.
        const onDelta = attempt === 0 ? turn.onDelta : undefined;
        const replied = await this.reply(conversation, { ...turn, onDelta });
        const row = rowOf(conversation, turn, replied);
        const outcome = await this.writer.record(row);
        if (outcome === 'repeated') return outcome;
        if (outcome === 'recorded' || outcome === 'paused') {
          this.live.hint(found.id);
          this.metrics.took(replied?.reply.metadata.via ?? 'paused', performance.now() - startedAt);
          return takenTurn(row, outcome === 'paused');
        }
        conversation = await this.read(found.id);
      }
      throw serviceUnavailable('the conversation moved on with every attempt', undefined, 1);
    });
  }

  private async read(id: string): Promise<ConversationState> {
    const conversation = await this.conversations.byIdAcrossTenants(id);
    if (!conversation) throw new AppError('UNAUTHENTICATED', 'The conversation is no more. Start a new one.');
    return conversation;
  }

  /** Null while a person answers: then the bot need not be there either. */
  private async reply(conversation: ConversationState, { asked, onDelta }: Turn): Promise<Replied | null> {
    const { status, isTakenOver, state, lastSeq } = conversation;
    const bot = await this.directory.available(conversation.botPublicId);
    const isAnswered = status === 'open' && !isTakenOver;
    const hasAction = asked.kind === 'message' && asked.action !== null;
    const opening: Asked = asked.kind === 'message' ? { ...asked, isOpening: lastSeq === 0 } : asked;
    if (isAnswered) {
      if (!bot) throw botUnavailable();
      return this.replies.reply(opening, bot, state, { conversationId: conversation.id, onDelta });
    }
    // An action is refused before the state is, and whoever answers.
    if (hasAction && bot) await this.replies.check(opening, bot, state);
    if (status !== 'open') throw conversationClosed(status);
    return null;
  }
}

function rowOf(conversation: ConversationState, turn: Turn, replied: Replied | null): TurnRow {
  const { id, organizationId, workspaceId, botPublicId, channel, lastSeq, revision } = conversation;
  return composeTurn({
    source: {
      ...{ conversationId: id, organizationId, workspaceId, botId: botPublicId, channel },
      correlationId: turn.correlationId,
      occurredAt: new Date().toISOString(),
    },
    start: null,
    expected: { seq: lastSeq, revision },
    question: turn.question,
    replied,
    submission: turn.submission,
    contact: turn.contact,
    call: turn.call,
  });
}

function takenTurn({ question, reply, at }: TurnRow, paused: boolean): TakenTurn {
  if (!question) throw new Error('a turn without a question');
  return {
    question: saidMessage('user', question, at),
    reply: reply && saidMessage('assistant', reply, at),
    paused,
  };
}
