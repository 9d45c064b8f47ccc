import { Injectable } from '@nestjs/common';
import { cleanText, readBot } from '@heliograph/bot-catalog';
import { manageConversation, sayAsAgent, type Conversation, type StoredMessage } from '@heliograph/bot-conversations';
import { clientOf, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { UnitOfWork, type WriteRequest } from '../../unit-of-work/unit-of-work.service';
import { botKey, placeOf } from '../about-bot';
import {
  ConversationMessageRecord,
  ConversationRecord,
  MAX_REPLY_LENGTH,
  type ChangeConversationRequest,
  type ConversationQuery,
} from './conversations.dto';
import { ConversationsRepository, type ConversationFilter, type ConversationRow } from './conversations.repository';

/** Reads conversations, records agent replies and changes conversation states; each write is audited. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly conversations: ConversationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(workspace: Workspace, query: ConversationQuery, page: Page): Promise<PageOf<ConversationRow>> {
    return this.conversations.list(workspace.id, await this.filterOf(workspace, query), page);
  }

  get(workspace: Workspace, id: string): Promise<ConversationRow> {
    return this.conversations.get(workspace.id, id);
  }

  async messages(
    workspace: Workspace,
    id: string,
    page: Page,
    order: { newestFirst: boolean },
  ): Promise<PageOf<StoredMessage>> {
    const conversation = await this.conversations.get(workspace.id, id);
    return this.conversations.messages(conversation.id, page, order);
  }

  update(
    write: WriteRequest,
    workspace: Workspace,
    id: string,
    { status, takenOver }: ChangeConversationRequest,
  ): Promise<ConversationRecord> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { actor } = write;
      const client = await clientOf(transaction);
      // Check ownership first: the update statement is not restricted to a workspace.
      await this.conversations.get(workspace.id, id, client);
      const { before, after } = await manageConversation(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        {
          ...(status === undefined ? {} : { status }),
          ...(takenOver === undefined ? {} : { isTakenOver: takenOver }),
          takenOverBy: actor.kind === 'user' ? actor.id : null,
        },
      );
      await audit({
        ...placeOf(workspace),
        action: 'conversation.changed',
        target: { type: 'conversation', id },
        before: toAuditData(before),
        after: toAuditData(after),
      });
      return ConversationRecord.of(await this.conversations.get(workspace.id, id, client));
    });
  }

  /**
   * Sends an agent reply under the name of the user. Replies of an API key use the name of the bot, because key names
   * are internal. Throws CONVERSATION_CLOSED unless the conversation is open.
   */
  reply(write: WriteRequest, workspace: Workspace, id: string, message: string): Promise<ConversationMessageRecord> {
    const content = cleanText(message);
    if (content === '') {
      throw new AppError('VALIDATION_ERROR', 'message: must contain text after HTML is stripped.');
    }
    if ([...content].length > MAX_REPLY_LENGTH) {
      throw new AppError('VALIDATION_ERROR', `message: must be text of at most ${MAX_REPLY_LENGTH} characters.`);
    }
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { actor, request } = write;
      const { botName } = await this.conversations.get(workspace.id, id, await clientOf(transaction));
      const said = await sayAsAgent(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        { content, agentName: request.access?.session?.user.name ?? botName },
      );
      // The audit entry omits the text, because it must be deleted together with the conversation.
      await audit({
        ...placeOf(workspace),
        action: 'conversation.answered',
        target: { type: 'conversation', id },
        before: null,
        after: { messageId: said.id },
      });
      return ConversationMessageRecord.of({ ...said, quickReplies: null, form: null });
    });
  }

  /** Throws NOT_FOUND for a bot of another workspace. */
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

function toAuditData({ status, isTakenOver }: Conversation): object {
  return { status, takenOver: isTakenOver };
}
