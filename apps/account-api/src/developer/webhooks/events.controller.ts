import { Controller, Get, Query } from '@nestjs/common';
import { HttpResult, pageSizeOf, V1Operation } from '@heliograph/service-kit';
import { EventLog } from '@heliograph/webhooks';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { V1Api } from '../reference/v1-api';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { ownerOf } from './webhooks.service';
import { readFeedCursor, V1Events, V1EventsQuery } from './events.dto';

@V1Api('v1: webhooks')
@Controller('api/v1/events')
export class V1EventsController {
  constructor(
    private readonly log: EventLog,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  @Get()
  @RequireV1Permission('webhooks:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListEvents',
    summary: 'List the events of the last 30 days, oldest first',
    description:
      'Returns all events in a stable order without gaps. Use this feed if your endpoint was unavailable, or if webhooks ' +
      'cannot reach it. Store `next_cursor` and send it as `after` in the next call.',
    response: V1Events,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  async list(@CurrentCaller() caller: Caller, @Query() query: V1EventsQuery): Promise<HttpResult<string>> {
    const page = await this.log.read(caller.organizationId, {
      after: readFeedCursor(query.after),
      types: query.types?.split(',') ?? ['*'],
      workspaceId: await this.workspaces.chosen(ownerOf(caller), query.workspace_id),
      limit: pageSizeOf(query.limit),
    });
    return new HttpResult({
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: V1Events.textOf(page),
    });
  }
}
