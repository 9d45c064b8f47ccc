import { Controller, Get, Param, Query } from '@nestjs/common';
import { V1Operation, type V1List } from '@heliograph/service-kit';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { V1Api } from '../reference/v1-api';
import { V1LoggedRequest, V1LoggedRequestDetails, V1LoggedRequests, V1RequestsQuery } from './requests.dto';
import { RequestsService } from './requests.service';

@V1Api('v1: request log')
@Controller('api/v1/requests')
export class V1RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Get()
  @RequireV1Permission('requests:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListRequests',
    summary: 'List the calls of your API keys in the last 30 days, newest first',
    description:
      'Contains the calls to all APIs with a key of your organization, also the refused ones, a second after their response. ' +
      'If the platform is overloaded, calls can be missing.',
    response: V1LoggedRequests,
    errors: ['INVALID_REQUEST'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1RequestsQuery): Promise<V1List<V1LoggedRequest>> {
    return this.requests.list(caller, query);
  }

  @Get(':id')
  @RequireV1Permission('requests:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ReadRequest',
    summary: 'Get a call with its bodies',

    description: 'Contains the bodies of the call and of its response.',
    response: V1LoggedRequestDetails,
    errors: ['NOT_FOUND'],
  })
  read(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<V1LoggedRequestDetails> {
    return this.requests.read(caller, id);
  }
}
