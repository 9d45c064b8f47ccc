import { Controller, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../../access/access.decorators';
import { InWorkspace } from '../../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../../http/envelope';
import { JsonBody, TakesBodyOnce } from '../../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../../http/query';
import { ToWrite, type WriteCall } from '../../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/conversations')
export class ConversationsController {
  constructor(@Inject(ConversationsService) private readonly conversations: ConversationsService) {}

  @Get()
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'listConversations', summary: 'The conversations of all bots, newest activity first' })
  @Answers(ConversationPage)
  async list(
    @InWorkspace() workspace: Workspace,
    @QueryOf(ConversationQuery) query: ConversationQuery,
  ): Promise<ConversationPage> {
    const { items, next } = await this.conversations.list(workspace, query, pageOf(query));
    return { conversations: items.map((row) => ConversationRecord.of(row)), ...nextCursor(next) };
  }

  @Get(':cid')
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'getConversation', summary: 'One conversation, with what is known of the visitor' })
  @Answers(OneConversation)
  async one(@InWorkspace() workspace: Workspace, @Param('cid') id: string): Promise<OneConversation> {
    return { conversation: ConversationRecord.of(await this.conversations.one(workspace, id)) };
  }

  @Patch(':cid')
  @OnWorkspace('conversations:write')
  @ApiOperation({
    operationId: 'changeConversation',
    summary: 'Opens, closes or archives it; takes it over, or gives it back to the bot',
  })
  @TakesBodyOnce(ChangeConversationRequest)
  @Answers(OneConversation)
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @JsonBody(ChangeConversationRequest) asked: ChangeConversationRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneConversation> {
    return { conversation: await this.conversations.change(call, workspace, id, asked) };
  }

  @Get(':cid/messages')
  @OnWorkspace('conversations:read')
  @ApiOperation({
    operationId: 'listConversationMessages',
    summary: 'What was said, oldest first unless told otherwise',
  })
  @Answers(ConversationMessagePage)
  async messages(
    @InWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @QueryOf(ConversationMessageQuery) query: ConversationMessageQuery,
  ): Promise<ConversationMessagePage> {
    const order = { newestFirst: query.order === 'desc' };
    const { items, next } = await this.conversations.messages(workspace, id, pageOf(query), order);
    return { messages: items.map((message) => ConversationMessageRecord.of(message)), ...nextCursor(next) };
  }

  @Post(':cid/messages')
  @OnWorkspace('conversations:write')
  @ApiOperation({
    operationId: 'answerConversation',
    summary:
      "Answers the visitor in one's own name; take the conversation over first, or the bot goes on answering too",
  })
  @TakesBodyOnce(AgentReplyRequest)
  @Answers(OneConversationMessage, 201)
  @RefusesWith('CONVERSATION_CLOSED')
  async reply(
    @InWorkspace() workspace: Workspace,
    @Param('cid') id: string,
    @JsonBody(AgentReplyRequest) { message }: AgentReplyRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneConversationMessage> {
    return { message: await this.conversations.reply(call, workspace, id, message) };
  }
}
