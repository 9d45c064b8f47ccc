import { Injectable } from '@nestjs/common';
import { BotDirectory } from '@heliograph/bot-catalog';
import {
  conversationClosed,
  type ContactRow,
  type QuestionRow,
  type SubmissionRow,
  type TurnRow,
} from '@heliograph/bot-conversations';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import { AlreadyClaimedError, type Claim } from '@heliograph/idempotency';
import { Backlog } from '@heliograph/messaging';
import type { TurnInput, Replied } from '../replies/reply';
import { LiveConversations } from '../live/live-conversations';
import { botUnavailable } from './bot-unavailable';
import { composeTurn, saidMessage } from './compose-turn';
import { ConversationsRepository, type ConversationState } from '../visitors/conversations.repository';
import type { SaidMessage } from '../messages/message.dto';
import { ReplyService } from './reply.service';
import { TurnMetrics } from './turn-metrics';
import { TurnQueue } from './turn-queue';
import { TurnWriter } from './turn-writer';

const MAX_ATTEMPTS = 10;

/** The data of the call that starts a turn. */
export interface TurnCall {
  correlationId: string;
  clientAddress: string | null;
  /** The claim of an Idempotency-Key, which is committed with the turn. */
  claim: Claim | null;
  /** Receives the parts of a reply while a language model generates it. */
  onDelta?: ((text: string) => void) | undefined;
}

/** The visitor's input of a turn. */
export interface Turn extends TurnCall {
  input: TurnInput;
  question: QuestionRow;
  submission: SubmissionRow | null;
  contact: ContactRow | null;
}

/** A stored turn. */
export interface RecordedTurn {
  question: SaidMessage;
  /** Null while an agent has taken over the conversation. */
  reply: SaidMessage | null;
  paused: boolean;
  /** The submission of a form that the turn has stored; null for a message. */
  submissionId: string | null;
}

/** Performs turns of existing conversations: generates the reply and commits it together with the question. */
@Injectable()
export class TurnsService {
  private readonly queue = new TurnQueue();

  constructor(
    private readonly directory: BotDirectory,
    private readonly conversations: ConversationsRepository,
    private readonly replies: ReplyService,
    private readonly writer: TurnWriter,
    private readonly live: LiveConversations,
    private readonly backlog: Backlog,
    private readonly metrics: TurnMetrics,
  ) {
    metrics.watch(this.queue);
  }

  /**
   * Throws CONVERSATION_CLOSED, BOT_UNAVAILABLE, INVALID_ACTION, and AlreadyClaimedError if another process has claimed
   * the Idempotency-Key of the turn. If it throws, nothing is stored.
   */
  take(found: ConversationState, turn: Turn): Promise<RecordedTurn> {
    this.backlog.assertRoom(null);
    return this.queue.run(found.id, async (waited) => {
      const startedAt = performance.now();
      let conversation = waited ? await this.read(found.id) : found;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        // If a reply is discarded, the client replaces its streamed parts with the stored reply.
        const onDelta = attempt === 0 ? turn.onDelta : undefined;
        const replied = await this.reply(conversation, { ...turn, onDelta });
        const row = rowOf(conversation, turn, replied);
        const outcome = await this.writer.record(row);
        if (outcome === 'repeated') throw new AlreadyClaimedError();
        if (outcome === 'recorded' || outcome === 'paused') {
          this.live.notify(found.id);
          this.metrics.took(replied?.reply.metadata.via ?? 'paused', performance.now() - startedAt);
          return toRecordedTurn(row, outcome === 'paused');
        }
        conversation = await this.read(found.id);
      }
      throw serviceUnavailable('the conversation changed during every attempt', undefined, 1);
    });
  }

  private async read(id: string): Promise<ConversationState> {
    const conversation = await this.conversations.byIdAcrossTenants(id);
    if (!conversation) throw new AppError('UNAUTHENTICATED', 'The conversation has been deleted. Start a new one.');
    return conversation;
  }

  /** Returns null while an agent has taken over the conversation. The bot may be unavailable in this state. */
  private async reply(conversation: ConversationState, { input, onDelta }: Turn): Promise<Replied | null> {
    const { status, isTakenOver, state, lastSeq } = conversation;
    const bot = await this.directory.available(conversation.botPublicId);
    const isAnswered = status === 'open' && !isTakenOver;
    const hasAction = input.kind === 'message' && input.action !== null;
    const opening: TurnInput = input.kind === 'message' ? { ...input, isOpening: lastSeq === 0 } : input;
    if (isAnswered) {
      if (!bot) throw botUnavailable();
      return this.replies.reply(opening, bot, state, { conversationId: conversation.id, onDelta });
    }
    // An invalid action is rejected in every state, even while an agent has taken over.
    if (hasAction && bot) await this.replies.check(opening, bot, state);
    if (status !== 'open') throw conversationClosed(status);
    return null;
  }
}

function rowOf(conversation: ConversationState, turn: Turn, replied: Replied | null): TurnRow {
  const { id, organizationId, workspaceId, botPublicId, channel, lastSeq, revision } = conversation;
  return composeTurn({
    source: {
      conversationId: id,
      organizationId,
      workspaceId,
      botId: botPublicId,
      channel,
      correlationId: turn.correlationId,
      occurredAt: new Date().toISOString(),
    },
    clientAddress: turn.clientAddress,
    start: null,
    expected: { seq: lastSeq, revision },
    question: turn.question,
    replied,
    submission: turn.submission,
    contact: turn.contact,
    claim: turn.claim,
  });
}

function toRecordedTurn({ question, reply, submission, at }: TurnRow, paused: boolean): RecordedTurn {
  if (!question) throw new Error('turn without a question');
  return {
    question: saidMessage('user', question, at),
    reply: reply && saidMessage('assistant', reply, at),
    paused,
    submissionId: submission?.id ?? null,
  };
}
