import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../access/access.decorators';
import { CurrentWorkspace } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { ValidatedQuery } from '../http/query';
import { numberOf } from './number-rule';
import { ChatappAllowanceUsageList, ChatappWindowQuery, OneChatappWindow } from './usage.dto';
import { ChatappUsageService } from './usage.service';

@ApiTags('Chat-app')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/chatapp')
export class ChatappUsageController {
  constructor(private readonly standing: ChatappUsageService) {}

  @Get('allowances')
  @RequireWorkspacePermission('chatapp:read')
  @ApiOperation({
    operationId: 'getChatappAllowanceStandings',
    summary: 'Get the allowance of each category and its use in the current month',
  })
  @ApiData(ChatappAllowanceUsageList)
  async allowances(@CurrentWorkspace() workspace: Workspace): Promise<ChatappAllowanceUsageList> {
    return { allowances: await this.standing.allowances(workspace) };
  }

  @Get('window')
  @RequireWorkspacePermission('chatapp:read')
  @ApiOperation({ operationId: 'getChatappWindow', summary: 'Get the consent and conversation window of a number' })
  @ApiData(OneChatappWindow)
  @ApiErrors('CHATAPP_NOT_CONFIGURED')
  async window(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(ChatappWindowQuery) { number }: ChatappWindowQuery,
  ): Promise<OneChatappWindow> {
    return { window: await this.standing.window(workspace, numberOf(number)) };
  }
}
