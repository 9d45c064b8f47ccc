import { Controller, Get, Param } from '@nestjs/common';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { V1Api } from '../../developer/reference/v1-api';
import { V1Timeline } from './timeline.dto';
import { TimelineService } from './timeline.service';
import { V1Operation } from '@heliograph/service-kit';

@V1Api('v1: messages')
@Controller('api/v1/messages')
export class V1TimelineController {
  constructor(private readonly timelines: TimelineService) {}

  @Get(':messageId/timeline')
  @RequireV1Permission('messages:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetMessageTimeline',
    summary: 'Get the timeline of a message of any channel',
    description:
      'Returns the events of a message in chronological order: request, checks, charge, claim by a worker, attempts, ' +
      'receipts, events and refunds. Each submit that the upstream did not accept is an attempt, throttled ones included. ' +
      'If there are more than 20, the first 5 and the last 15 are listed. The event `sent` of an SMS lists its parts with ' +
      'the ids of the carrier. ' +
      'The timeline of a bot message covers its turn: received, lead captured, hand-off requested, answered. Webhook ' +
      'deliveries of the last 30 days are included (at most 500), each at the time of its last attempt.',
    response: V1Timeline,
    errors: ['NOT_FOUND'],
    sample: { values: { messageId: { create: '/api/v1/sms/send' } } },
  })
  read(@CurrentCaller() caller: Caller, @Param('messageId') id: string): Promise<V1Timeline> {
    return this.timelines.read(caller, id);
  }
}
