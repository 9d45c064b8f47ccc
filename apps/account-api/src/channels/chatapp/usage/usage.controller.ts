import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { ApiData } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { ChatappAllowanceUsageList, ChatappWindowQuery, OneChatappWindow } from './usage.dto';
import { ChatappUsageService } from './usage.service';

@ApiTags('Chat-app')
@Controller('api/workspaces/:id/chatapp')
export class ChatappUsageController {
  constructor(private readonly usage: ChatappUsageService) {}

  @Get('allowances')
  @RequireWorkspacePermission('chatapp:read')
  @ApiOperation({
    operationId: 'getChatappAllowanceStandings',
    summary: 'Get the allowance of each category and its usage in the current month',
  })
  @ApiData(ChatappAllowanceUsageList)
  allowances(@CurrentWorkspace() workspace: Workspace): Promise<ChatappAllowanceUsageList> {
    return this.usage.allowances(workspace);
  }

  @Get('window')
  @RequireWorkspacePermission('chatapp:read')
  @ApiOperation({ operationId: 'getChatappWindow', summary: 'Get the consent and conversation window of a number' })
  @ApiData(OneChatappWindow)
  @AccountApiErrors('CHATAPP_NOT_CONFIGURED')
  window(@CurrentWorkspace() workspace: Workspace, @Query() { number }: ChatappWindowQuery): Promise<OneChatappWindow> {
    return this.usage.window(workspace, number);
  }
}
