import { Injectable } from '@nestjs/common';
import { readBot } from '@heliograph/bot-catalog';
import { manageConversation, sayAsAgent, type Conversation } from '@heliograph/bot-conversations';
import { clientOf, given } from '@heliograph/database';
import { type Workspace, AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { botKey, placeOf } from '../bots/about-bot';
import { readFlag } from '../../http/rules';
import { readReply } from './agent-reply';
import {
  ConversationMessagePage,
  ConversationPage,
  OneConversation,
  OneConversationMessage,
  type ChangeConversationRequest,
  type ConversationMessageQuery,
  type ConversationQuery,
} from './conversations.dto';
import { ConversationsRepository, type ConversationFilter } from './conversations.repository';

const CONVERSATION = new AuditedKind<Conversation>(
  'conversation',
  ({ id, organizationId, workspaceId }) => ({ id, organizationId, workspaceId }),
  ({ status, isTakenOver }) => ({ status, takenOver: isTakenOver }),
);

/** Reads conversations, records agent replies and changes conversation states; each write is audited. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly conversations: ConversationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(workspace: Workspace, query: ConversationQuery): Promise<ConversationPage> {
    const filter = await this.filterOf(workspace, query);
    return ConversationPage.of(await this.conversations.list(workspace.id, filter, pageOf(query)));
  }

  async get(workspace: Workspace, id: string): Promise<OneConversation> {
    return OneConversation.of(await this.conversations.get(workspace.id, id));
  }

  async messages(workspace: Workspace, id: string, query: ConversationMessageQuery): Promise<ConversationMessagePage> {
    const conversation = await this.conversations.get(workspace.id, id);
    const order = { newestFirst: query.order === 'desc' };
    return ConversationMessagePage.of(await this.conversations.messages(conversation.id, pageOf(query), order));
  }

  update(
    write: Write,
    workspace: Workspace,
    id: string,
    { status, takenOver }: ChangeConversationRequest,
  ): Promise<OneConversation> {
    return this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const { actor } = write;
      const client = await clientOf(transaction);
      // Checks the workspace first, because the update statement is not restricted to a workspace.
      await this.conversations.get(workspace.id, id, client);
      const changed = await manageConversation(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        {
          ...given({ status, isTakenOver: takenOver }),
          takenOverBy: actor.kind === 'user' ? actor.id : null,
        },
      );
      await auditChange(CONVERSATION, 'changed', changed);
      return OneConversation.of(await this.conversations.get(workspace.id, id, client));
    });
  }

  /**
   * Sends an agent reply with the name of the user (`agentName`). Replies of an API key have the name of the bot,
   * because the names of keys are internal. Throws CONVERSATION_CLOSED unless the conversation is open.
   */
  reply(
    write: Write,
    workspace: Workspace,
    id: string,
    { message, agentName }: { message: string; agentName: string | null },
  ): Promise<OneConversationMessage> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const content = readReply(message);
      const { actor } = write;
      const { botName } = await this.conversations.get(workspace.id, id, await clientOf(transaction));
      const said = await sayAsAgent(
        transaction,
        { conversationId: id, correlationId: actor.requestId },
        {
          content,
          agentName: agentName ?? botName,
          keyId: actor.kind === 'key' ? actor.id : null,
          clientAddress: actor.ipAddress,
        },
      );
      // The audit entry omits the text, because it must be deleted together with the conversation.
      await audit({
        ...placeOf(workspace),
        action: 'conversation.answered',
        target: { type: 'conversation', id },
        before: null,
        after: { messageId: said.id },
      });
      return OneConversationMessage.of({ ...said, quickReplies: null, form: null });
    });
  }

  /** Throws NOT_FOUND for a bot of another workspace. */
  private async filterOf(workspace: Workspace, query: ConversationQuery): Promise<ConversationFilter> {
    const { botId, status, takenOver, handoff } = query;
    const bot = botId === undefined ? null : await readBot(this.dataSource.manager, botKey(workspace, botId));
    return given({ botId: bot?.id, status, takenOver: readFlag(takenOver), handoff: readFlag(handoff) });
  }
}
