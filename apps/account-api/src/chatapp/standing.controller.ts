import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../access/access.decorators';
import { InWorkspace } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { QueryOf } from '../http/query';
import { numberOf } from './number-rule';
import { ChatappAllowanceStandings, ChatappWindowQuery, OneChatappWindow } from './standing.dto';
import { ChatappStandingService } from './standing.service';

@ApiTags('Chat-app')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/chatapp')
export class ChatappStandingController {
  constructor(@Inject(ChatappStandingService) private readonly standing: ChatappStandingService) {}

  @Get('allowances')
  @OnWorkspace('chatapp:read')
  @ApiOperation({
    operationId: 'getChatappAllowanceStandings',
    summary: 'What is free of each category, and how much of it is left this month',
  })
  @Answers(ChatappAllowanceStandings)
  async allowances(@InWorkspace() workspace: Workspace): Promise<ChatappAllowanceStandings> {
    return { allowances: await this.standing.allowances(workspace) };
  }

  @Get('window')
  @OnWorkspace('chatapp:read')
  @ApiOperation({ operationId: 'getChatappWindow', summary: 'What may be sent to a number at this moment' })
  @Answers(OneChatappWindow)
  @RefusesWith('CHATAPP_NOT_CONFIGURED')
  async window(
    @InWorkspace() workspace: Workspace,
    @QueryOf(ChatappWindowQuery) { number }: ChatappWindowQuery,
  ): Promise<OneChatappWindow> {
    return { window: await this.standing.window(workspace, numberOf(number)) };
  }
}
