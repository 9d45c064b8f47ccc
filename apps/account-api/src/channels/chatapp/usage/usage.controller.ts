import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { ChatappAllowanceUsageList, ChatappWindowQuery, OneChatappWindow } from './usage.dto';
import { ChatappUsageService } from './usage.service';
import { AccountOperation } from '../../../http/envelope';

@ApiTags('Chat-app')
@Controller('api/workspaces/:id/chatapp')
export class ChatappUsageController {
  constructor(private readonly usage: ChatappUsageService) {}

  @Get('allowances')
  @RequireWorkspacePermission('chatapp:read')
  @AccountOperation({
    id: 'getChatappAllowanceStandings',
    summary: 'Get the allowance of each category and its usage in the current month',

    description: 'Messages within the allowance of their category are free.',
    response: ChatappAllowanceUsageList,
  })
  allowances(@CurrentWorkspace() workspace: Workspace): Promise<ChatappAllowanceUsageList> {
    return this.usage.allowances(workspace);
  }

  @Get('window')
  @RequireWorkspacePermission('chatapp:read')
  @AccountOperation({
    id: 'getChatappWindow',
    summary: 'Get the consent and conversation window of a number',

    description:
      'Free-form messages can be sent while the window is open: for 24 hours after the latest message of the person.',
    response: OneChatappWindow,
    errors: ['CHATAPP_NOT_CONFIGURED'],
  })
  window(@CurrentWorkspace() workspace: Workspace, @Query() { number }: ChatappWindowQuery): Promise<OneChatappWindow> {
    return this.usage.window(workspace, number);
  }
}
