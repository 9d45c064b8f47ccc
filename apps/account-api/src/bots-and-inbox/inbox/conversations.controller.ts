import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentAccess, CurrentWorkspace, type Access } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import {
  AgentReplyRequest,
  ChangeConversationRequest,
  ConversationMessagePage,
  ConversationMessageQuery,
  ConversationPage,
  ConversationQuery,
  OneConversation,
  OneConversationMessage,
} from './conversations.dto';
import { ConversationsService } from './conversations.service';

@ApiTags('Inbox')
@Controller('api/workspaces/:id/conversations')
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'listConversations',
    summary: 'List conversations of all bots, sorted by latest activity, newest first',

    description: 'Filter by status, bot or whether an agent has taken over, to build a queue for agents.',
    response: ConversationPage,
  })
  list(@CurrentWorkspace() workspace: Workspace, @Query() query: ConversationQuery): Promise<ConversationPage> {
    return this.conversations.list(workspace, query);
  }

  @Get(':cid')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'getConversation',
    summary: 'Get a conversation with the visitor details',

    description: 'Contains the contact and the page on which the visitor started.',
    response: OneConversation,
  })
  get(@CurrentWorkspace() workspace: Workspace, @Param('cid') id: string): Promise<OneConversation> {
    return this.conversations.get(workspace, id);
  }

  @Patch(':cid')
  @RequireWorkspacePermission('conversations:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeConversation',
    summary: 'Update the status of a conversation, or take it over',
    description: 'Opens, closes or archives the conversation, takes it over, or returns it to the bot.',
    response: OneConversation,
  })
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @Body() body: ChangeConversationRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneConversation> {
    return this.conversations.update(write, workspace, id, body);
  }

  @Get(':cid/messages')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'listConversationMessages',
    summary: 'List the messages of a conversation, oldest first by default',

    description: 'Contains the messages of the visitor, the bot and agents.',
    response: ConversationMessagePage,
  })
  messages(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @Query() query: ConversationMessageQuery,
  ): Promise<ConversationMessagePage> {
    return this.conversations.messages(workspace, id, query);
  }

  @Post(':cid/messages')
  @RequireWorkspacePermission('conversations:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'answerConversation',
    summary: 'Reply to the visitor as an agent',
    description: 'Take over the conversation first to stop the replies of the bot.',
    status: 201,
    response: OneConversationMessage,
    errors: ['CONVERSATION_CLOSED'],
  })
  reply(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @CurrentAccess() { session }: Access,
    @Body() { message }: AgentReplyRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneConversationMessage> {
    return this.conversations.reply(write, workspace, id, { message, agentName: session?.user.name ?? null });
  }
}
