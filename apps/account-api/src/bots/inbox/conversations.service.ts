import { Inject, Injectable } from '@nestjs/common';
import { cleanText, readBot } from '@heliograph/bot-catalog';
import { manageConversation, sayAsAgent, type Conversation, type StoredMessage } from '@heliograph/bot-conversations';
import { clientOf, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { Writes, type WriteCall } from '../../writes/writes.service';
import { botKey, placeOf } from '../about-bot';
import {
  ConversationMessageRecord,
  ConversationRecord,
  MAX_REPLY_LENGTH,
  type ChangeConversationRequest,
  type ConversationQuery,
} from './conversations.dto';
import { ConversationsRepository, type ConversationFilter, type ConversationRow } from './conversations.repository';

/** What visitors and bots said to each other, and what a person says and decides in it; writes are on the record. */
@Injectable()
export class ConversationsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ConversationsRepository) private readonly conversations: ConversationsRepository,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  async list(workspace: Workspace, query: ConversationQuery, page: Page): Promise<PageOf<ConversationRow>> {
    return this.conversations.list(workspace.id, await this.filterOf(workspace, query), page);
  }

  one(workspace: Workspace, id: string): Promise<ConversationRow> {
    return this.conversations.one(workspace.id, id);
  }

  async messages(
    workspace: Workspace,
    id: string,
    page: Page,
    order: { newestFirst: boolean },
  ): Promise<PageOf<StoredMessage>> {
    const conversation = await this.conversations.one(workspace.id, id);
    return this.conversations.messages(conversation.id, page, order);
  }

  change(
    call: WriteCall,
    workspace: Workspace,
    id: string,
    { status, takenOver }: ChangeConversationRequest,
  ): Promise<ConversationRecord> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const { actor } = call;
      const client = clientOf(transaction);
      // Whose it is comes first: what changes it asks for no workspace.
      await this.conversations.one(workspace.id, id, client);
      const { before, after } = await manageConversation(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        {
          ...(status === undefined ? {} : { status }),
          ...(takenOver === undefined ? {} : { isTakenOver: takenOver }),
          takenOverBy: actor.kind === 'user' ? actor.id : null,
        },
      );
      await record({
        ...placeOf(workspace),
        action: 'conversation.changed',
        target: { type: 'conversation', id },
        before: noted(before),
        after: noted(after),
      });
      return ConversationRecord.of(await this.conversations.one(workspace.id, id, client));
    });
  }

  /**
   * A person's answer to the visitor, under the person's name. The name of a key is nobody's business: it writes under
   * the bot's. Throws CONVERSATION_CLOSED unless the conversation is open.
   */
  reply(call: WriteCall, workspace: Workspace, id: string, message: string): Promise<ConversationMessageRecord> {
    const content = cleanText(message);
    if (content === '') {
      throw new AppError('VALIDATION_ERROR', 'message: must hold text that is left when its markup is gone.');
    }
    if ([...content].length > MAX_REPLY_LENGTH) {
      throw new AppError('VALIDATION_ERROR', `message: must be text of at most ${MAX_REPLY_LENGTH} characters.`);
    }
    return this.writes.run(call, async ({ transaction, record }) => {
      const { actor, request } = call;
      const { botName } = await this.conversations.one(workspace.id, id, clientOf(transaction));
      const said = await sayAsAgent(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        { content, agentName: request.access?.session?.user.name ?? botName },
      );
      // Who wrote, and when; what was written is in the conversation, and goes with it.
      await record({
        ...placeOf(workspace),
        action: 'conversation.answered',
        target: { type: 'conversation', id },
        before: null,
        after: { messageId: said.id },
      });
      return ConversationMessageRecord.of({ ...said, quickReplies: null, form: null });
    });
  }

  /** Throws NOT_FOUND for a bot that is none of the workspace's. */
  private async filterOf(workspace: Workspace, query: ConversationQuery): Promise<ConversationFilter> {
    const { botId, status, takenOver, handoff } = query;
    const bot = botId === undefined ? null : await readBot(this.dataSource.manager, botKey(workspace, botId));
    return {
      ...(bot ? { botId: bot.id } : {}),
      ...(status === undefined ? {} : { status }),
      ...(takenOver === undefined ? {} : { takenOver: takenOver === 'true' }),
      ...(handoff === undefined ? {} : { handoff: handoff === 'true' }),
    };
  }
}

function noted({ status, isTakenOver }: Conversation): object {
  return { status, takenOver: isTakenOver };
}
