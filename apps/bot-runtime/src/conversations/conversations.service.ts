import { Injectable } from '@nestjs/common';
import {
  endConversation,
  rateConversation,
  reopenConversation,
  type ChangeContext,
  type Conversation,
} from '@heliograph/bot-conversations';
import { DataSource, type EntityManager } from 'typeorm';
import { LiveConversations } from '../live/live-conversations';
import type { ConversationState } from '../visitors/conversations.repository';
import {
  ConversationRecord,
  Feedback,
  type ConversationResponse,
  type FeedbackRequest,
  type FeedbackResponse,
} from './conversation.dto';

type Change = (transaction: EntityManager, context: ChangeContext) => Promise<Conversation>;

/** Operations of a visitor on a conversation. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly live: LiveConversations,
  ) {}

  /** Throws CONVERSATION_CLOSED for a closed or archived conversation. */
  async end(conversation: ConversationState, correlationId: string): Promise<ConversationResponse> {
    return { conversation: ConversationRecord.of(await this.change(conversation, correlationId, endConversation)) };
  }

  /** Throws CONVERSATION_CLOSED for a closed or archived conversation. */
  async reopen(conversation: ConversationState, correlationId: string): Promise<ConversationResponse> {
    return { conversation: ConversationRecord.of(await this.change(conversation, correlationId, reopenConversation)) };
  }

  async rate(
    conversation: ConversationState,
    correlationId: string,
    { rating, message }: FeedbackRequest,
  ): Promise<FeedbackResponse> {
    const given = message?.trim() ? message : null;
    const rated = await this.change(conversation, correlationId, (transaction, context) =>
      rateConversation(transaction, context, { rating, feedback: given }),
    );
    const feedback = Feedback.of(rated);
    if (!feedback) throw new Error('a rating was not stored');
    return { feedback };
  }

  private async change({ id }: ConversationState, correlationId: string, change: Change): Promise<Conversation> {
    const changed = await this.dataSource.transaction((transaction) =>
      change(transaction, { conversationId: id, correlationId }),
    );
    this.live.notify(id);
    return changed;
  }
}
