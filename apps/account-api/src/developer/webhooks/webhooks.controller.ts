import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Param, Post, Put, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Idempotent } from '@heliograph/idempotency';
import { type V1List, V1Operation } from '@heliograph/service-kit';
import { CATALOG } from '@heliograph/webhooks';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../reference/v1-api';
import {
  V1EventTypes,
  V1NewWebhook,
  V1Webhook,
  V1WebhookChanges,
  V1WebhookRequest,
  V1Webhooks,
  V1WebhooksQuery,
} from './webhooks.dto';
import { WebhooksService } from './webhooks.service';

@V1Api('v1: webhooks')
@Controller('api/v1/webhooks')
export class V1WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @Idempotent({ sealed: true })
  @V1Operation({
    id: 'v1CreateWebhook',
    summary: 'Subscribe a URL to events',
    description:
      'Deliveries are signed according to the Standard Webhooks specification. To verify a delivery, compute HMAC-SHA256 ' +
      'of `<webhook-id>.<webhook-timestamp>.<raw body>` with the secret from this response and compare it with ' +
      '`webhook-signature`. See docs/guides/webhooks.md for examples. ' +
      'An API key that is bound to a workspace creates and sees the webhooks of this workspace only.',
    status: 201,
    response: V1NewWebhook,
    errors: ['INVALID_REQUEST', 'INVALID_URL', 'NOT_FOUND', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() request: V1WebhookRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1NewWebhook> {
    return this.webhooks.create(write, caller, request);
  }

  @Get()
  @RequireV1Permission('webhooks:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListWebhooks',
    summary: 'List webhooks, newest first',

    description: 'Contains the status of each endpoint, so that failing ones can be found.',
    response: V1Webhooks,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1WebhooksQuery): Promise<V1List<V1Webhook>> {
    return this.webhooks.list(caller, query);
  }

  @Get('events')
  @RequireV1Permission('webhooks:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListEventTypes',
    summary: 'List the event types with JSON Schema and example',

    description: 'Each type has the schema and an example of its payload, for tests of a receiver.',
    response: V1EventTypes,
  })
  catalog(): V1EventTypes {
    return { data: CATALOG };
  }

  @Get(':webhookId')
  @RequireV1Permission('webhooks:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetWebhook',
    summary: 'Get a webhook',
    description: 'Returns an endpoint without its secret.',
    response: V1Webhook,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('webhookId') id: string): Promise<V1Webhook> {
    return this.webhooks.get(caller, id);
  }

  @Put(':webhookId')
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @V1Operation({
    id: 'v1ChangeWebhook',
    summary: 'Update a webhook',
    description:
      'Updates the fields in the request. The value `true` of `active` enables a disabled webhook and resets its failures.',
    response: V1Webhook,
    errors: ['INVALID_REQUEST', 'INVALID_URL', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  })
  change(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @Body() request: V1WebhookChanges,
    @CurrentWrite() write: Write,
  ): Promise<V1Webhook> {
    return this.webhooks.change(write, caller, id, request);
  }

  @Delete(':webhookId')
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiResponse({ status: 204, description: 'The webhook was deleted' })
  @V1Operation({
    id: 'v1DeleteWebhook',
    summary: 'Delete a webhook',

    description: 'The events remain in the feed for 30 days.',
    errors: ['NOT_FOUND'],
    sample: { values: { webhookId: { create: '/api/v1/webhooks' } } },
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.webhooks.remove(write, caller, id);
  }

  @Post(':webhookId/rotate-secret')
  @RequireV1Permission('webhooks:write', { boundKeys: true })
  @Idempotent({ sealed: true })
  @V1Operation({
    id: 'v1RotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours, deliveries are signed with both the new and the previous secret.',
    response: V1NewWebhook,
    errors: ['NOT_FOUND'],
  })
  rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('webhookId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<V1NewWebhook> {
    return this.webhooks.rotateSecret(write, caller, id);
  }
}
