import { Controller, Get, Inject, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { InOrganization, OnWorkspace } from '../access/access.decorators';
import { ByCaller, InWorkspace, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { OneEmailTracking, SetEmailTrackingRequest } from './tracking.dto';
import { EmailTrackingService } from './tracking.service';

@ApiTags('Email')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/email/tracking')
export class EmailTrackingController {
  constructor(@Inject(EmailTrackingService) private readonly tracking: EmailTrackingService) {}

  @Get('workspaces/:id')
  @OnWorkspace('email:read')
  @ApiOperation({
    operationId: 'getWorkspaceEmailTracking',
    summary: 'Whether opens and clicks of a workspace are followed',
  })
  @Answers(OneEmailTracking)
  @RefusesWith('NOT_FOUND')
  async ofWorkspace(@ByCaller() caller: Caller, @InWorkspace() { id }: Workspace): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.one(caller, { kind: 'workspace', id }) };
  }

  @Put('workspaces/:id')
  @OnWorkspace('email:write')
  @ApiOperation({
    operationId: 'setWorkspaceEmailTracking',
    summary: 'Follows opens and clicks of a workspace, or not',
  })
  @TakesBodyOnce(SetEmailTrackingRequest)
  @Answers(OneEmailTracking)
  @RefusesWith('NOT_FOUND')
  async setOfWorkspace(
    @ByCaller() caller: Caller,
    @InWorkspace() { id }: Workspace,
    @JsonBody(SetEmailTrackingRequest) asked: SetEmailTrackingRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.set(call, caller, { kind: 'workspace', id }, asked) };
  }

  @Get('keys/:keyId')
  @InOrganization('email:read')
  @ApiOperation({
    operationId: 'getKeyEmailTracking',
    summary: 'Whether opens and clicks of what a key sends are followed',
  })
  @Answers(OneEmailTracking)
  @RefusesWith('NOT_FOUND')
  async ofKey(@ByCaller() caller: Caller, @Param('keyId') id: string): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.one(caller, { kind: 'key', id }) };
  }

  @Put('keys/:keyId')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'setKeyEmailTracking', summary: 'Follows opens and clicks of what a key sends, or not' })
  @TakesBodyOnce(SetEmailTrackingRequest)
  @Answers(OneEmailTracking)
  @RefusesWith('NOT_FOUND')
  async setOfKey(
    @ByCaller() caller: Caller,
    @Param('keyId') id: string,
    @JsonBody(SetEmailTrackingRequest) asked: SetEmailTrackingRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailTracking> {
    return { tracking: await this.tracking.set(call, caller, { kind: 'key', id }, asked) };
  }
}
