import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { V1Refusals } from '@heliograph/service-kit';
import { RequireV1Permission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { V1Api } from '../v1/v1-api';
import { V1Timeline } from './timeline.dto';
import { TimelineService } from './timeline.service';

@V1Api('v1: messages')
@Controller('api/v1/messages')
export class V1TimelineController {
  constructor(private readonly timelines: TimelineService) {}

  @Get(':messageId/timeline')
  @RequireV1Permission('messages:read', { boundKeys: true })
  @ApiOperation({
    operationId: 'v1GetMessageTimeline',
    summary: 'Get the timeline of a message of any channel',
    description:
      'From the request, its checks and the charge to the workers, attempts, receipts, events and refunds, in the order ' +
      'in which they happened. Of more than 20 failed attempts, the first 5 and the last 15 are listed. A message of a bot ' +
      'has the turn that it belongs to: received, lead captured, hand-off requested, answered. Deliveries of its events to ' +
      'webhooks are listed for 30 days, at most 500, each at its last attempt.',
  })
  @ApiResponse({ status: 200, type: V1Timeline })
  @V1Refusals('NOT_FOUND')
  read(@CurrentCaller() caller: Caller, @Param('messageId') id: string): Promise<V1Timeline> {
    return this.timelines.read(caller, id);
  }
}
