import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChangeEmailSenderRequest,
  CreateEmailSenderRequest,
  EmailSenderPage,
  EmailSenderQuery,
  EmailSenderRecord,
  OneEmailSender,
} from './senders.dto';
import { EmailSendersService } from './senders.service';

@ApiTags('Email')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/email/senders')
export class EmailSendersController {
  constructor(private readonly senders: EmailSendersService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'listEmailSenders', summary: 'List senders, sorted by creation time, oldest first' })
  @ApiData(EmailSenderPage)
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(EmailSenderQuery) query: EmailSenderQuery,
  ): Promise<EmailSenderPage> {
    const { items, next } = await this.senders.list(caller, pageOf(query), query);
    return { senders: items.map((sender) => EmailSenderRecord.of(sender)), ...nextCursor(next) };
  }

  @Get(':senderId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailSender', summary: 'Get a sender' })
  @ApiData(OneEmailSender)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('senderId') id: string): Promise<OneEmailSender> {
    return { sender: EmailSenderRecord.of(await this.senders.get(caller, id)) };
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'createEmailSender', summary: 'Create a sender on one of your domains' })
  @ApiIdempotentBody(CreateEmailSenderRequest)
  @ApiData(OneEmailSender, 201)
  @ApiErrors('NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateEmailSenderRequest) body: CreateEmailSenderRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.create(write, caller, body) };
  }

  @Patch(':senderId')
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'changeEmailSender',
    summary: 'Update a sender; a new default sender replaces the previous one',
  })
  @ApiIdempotentBody(ChangeEmailSenderRequest)
  @ApiData(OneEmailSender)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('senderId') id: string,
    @JsonBody(ChangeEmailSenderRequest) body: ChangeEmailSenderRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.update(write, caller, id, body) };
  }

  @Delete(':senderId')
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'removeEmailSender',
    summary: 'Delete a sender; the default sender can only be deleted last',
  })
  @ApiData(OneEmailSender)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('senderId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.remove(write, caller, id) };
  }
}
