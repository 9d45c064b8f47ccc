import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../../unit-of-work/unit-of-work.service';
import {
  AgentReplyRequest,
  ChangeConversationRequest,
  ConversationMessagePage,
  ConversationMessageQuery,
  ConversationMessageRecord,
  ConversationPage,
  ConversationQuery,
  ConversationRecord,
  OneConversation,
  OneConversationMessage,
} from './conversations.dto';
import { ConversationsService } from './conversations.service';

@ApiTags('Inbox')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/conversations')
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'List conversations of all bots, sorted by latest activity, newest first',
  })
  @ApiData(ConversationPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(ConversationQuery) query: ConversationQuery,
  ): Promise<ConversationPage> {
    const { items, next } = await this.conversations.list(workspace, query, pageOf(query));
    return { conversations: items.map((row) => ConversationRecord.of(row)), ...nextCursor(next) };
  }

  @Get(':cid')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'getConversation', summary: 'Get a conversation with the visitor details' })
  @ApiData(OneConversation)
  async get(@CurrentWorkspace() workspace: Workspace, @Param('cid') id: string): Promise<OneConversation> {
    return { conversation: ConversationRecord.of(await this.conversations.get(workspace, id)) };
  }

  @Patch(':cid')
  @RequireWorkspacePermission('conversations:write')
  @ApiOperation({
    operationId: 'changeConversation',
    summary: 'Open, close or archive a conversation, take it over, or return it to the bot',
  })
  @ApiIdempotentBody(ChangeConversationRequest)
  @ApiData(OneConversation)
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @JsonBody(ChangeConversationRequest) body: ChangeConversationRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneConversation> {
    return { conversation: await this.conversations.update(write, workspace, id, body) };
  }

  @Get(':cid/messages')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({
    operationId: 'listConversationMessages',
    summary: 'List the messages of a conversation, oldest first by default',
  })
  @ApiData(ConversationMessagePage)
  async messages(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @ValidatedQuery(ConversationMessageQuery) query: ConversationMessageQuery,
  ): Promise<ConversationMessagePage> {
    const order = { newestFirst: query.order === 'desc' };
    const { items, next } = await this.conversations.messages(workspace, id, pageOf(query), order);
    return { messages: items.map((message) => ConversationMessageRecord.of(message)), ...nextCursor(next) };
  }

  @Post(':cid/messages')
  @RequireWorkspacePermission('conversations:write')
  @ApiOperation({
    operationId: 'answerConversation',
    summary: 'Reply to the visitor as an agent. Take the conversation over first to stop the replies of the bot.',
  })
  @ApiIdempotentBody(AgentReplyRequest)
  @ApiData(OneConversationMessage, 201)
  @ApiErrors('CONVERSATION_CLOSED')
  async reply(
    @CurrentWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @JsonBody(AgentReplyRequest) { message }: AgentReplyRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneConversationMessage> {
    return { message: await this.conversations.reply(write, workspace, id, message) };
  }
}
