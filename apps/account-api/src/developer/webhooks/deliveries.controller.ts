import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Idempotent } from '@heliograph/idempotency';
import { AcceptsBody, type V1List, V1Operation } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../reference/v1-api';
import { DeliveriesService } from './deliveries.service';
import {
  V1Attempt,
  V1Deliveries,
  V1Delivery,
  V1Replay,
  V1ReplayRequest,
  V1WebhookLogsQuery,
  V1WebhookTestRequest,
} from './webhooks.dto';

@V1Api('v1: webhooks')
@Controller('api/v1/webhooks')
export class V1DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Post(':webhookId/test')
  @AcceptsBody({ mayBeEmpty: true })
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @Idempotent()
  @V1Operation({
    id: 'v1TestWebhook',
    summary: 'Send a signed sample event and get the result',
    description: 'Without `event`, the first event type of the webhook is used. The sample is not logged.',
    response: V1Attempt,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  })
  test(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @Body() { event }: V1WebhookTestRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Attempt> {
    return this.deliveries.test(write, caller, id, event ?? null);
  }

  @Post(':webhookId/replay')
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @Idempotent()
  @V1Operation({
    id: 'v1ReplayWebhook',
    summary: 'Replay stored events',
    description: 'The events keep their ids. A call can replay at most 10,000 events.',
    status: 202,
    response: V1Replay,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'STATE_CONFLICT', 'PAYLOAD_TOO_LARGE'],
  })
  replay(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @Body() request: V1ReplayRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Replay> {
    return this.deliveries.replay(write, caller, id, request);
  }

  @Get(':webhookId/logs')
  @RequireV1Permission('webhooks:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListWebhookDeliveries',
    summary: 'List deliveries of the last 30 days, newest first',

    description:
      'Each delivery has its attempts with status, duration and response, so that a failing receiver can be debugged.',
    response: V1Deliveries,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @Query() query: V1WebhookLogsQuery,
  ): Promise<V1List<V1Delivery>> {
    return this.deliveries.list(caller, id, query);
  }

  @Post(':webhookId/logs/:deliveryId/retry')
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @Idempotent()
  @V1Operation({
    id: 'v1RetryWebhookDelivery',
    summary: 'Retry a delivery immediately',

    description:
      'It has the same event id and a new timestamp and signature. It also works after the last automatic retry.',
    status: 202,
    response: V1Delivery,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  })
  retry(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @Param('deliveryId') deliveryId: string,
    @CurrentWrite() write: Write,
  ): Promise<V1Delivery> {
    return this.deliveries.retry(write, caller, id, deliveryId);
  }
}
