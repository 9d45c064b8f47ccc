import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { RegistrationsService } from './registrations.service';
import {
  ChangeSenderRequest,
  CreateSenderRequest,
  SenderAnswer,
  OneSender,
  SenderPage,
  RegistrationQuery,
} from './sms.dto';

@ApiTags('SMS')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/sms/senders')
export class SendersController {
  constructor(private readonly registrations: RegistrationsService) {}

  @Get()
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'listSenders', summary: 'List SMS senders, sorted by creation time, oldest first' })
  @ApiData(SenderPage)
  @ApiErrors('VALIDATION_ERROR')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(RegistrationQuery) query: RegistrationQuery,
  ): Promise<SenderPage> {
    const { items, next } = await this.registrations.senders(caller, pageOf(query), query);
    return { senders: items.map((entry) => SenderAnswer.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'getSender', summary: 'Get an SMS sender' })
  @ApiData(OneSender)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneSender> {
    return { sender: SenderAnswer.of(await this.registrations.sender(caller, id)) };
  }

  @Post()
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'createSender', summary: 'Register an SMS sender' })
  @ApiIdempotentBody(CreateSenderRequest)
  @ApiData(OneSender, 201)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateSenderRequest) body: CreateSenderRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneSender> {
    return { sender: await this.registrations.createSender(write, caller, body) };
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'changeSender', summary: 'Update an SMS sender' })
  @ApiIdempotentBody(ChangeSenderRequest)
  @ApiData(OneSender)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeSenderRequest) body: ChangeSenderRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneSender> {
    return { sender: await this.registrations.changeSender(write, caller, id, body) };
  }
}
