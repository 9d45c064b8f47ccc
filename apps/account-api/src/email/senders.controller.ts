import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/email/senders')
export class EmailSendersController {
  constructor(@Inject(EmailSendersService) private readonly senders: EmailSendersService) {}

  @Get()
  @InOrganization('email:read')
  @ApiOperation({ operationId: 'listEmailSenders', summary: 'The sender addresses, in the order of their making' })
  @Answers(EmailSenderPage)
  async list(@ByCaller() caller: Caller, @QueryOf(EmailSenderQuery) query: EmailSenderQuery): Promise<EmailSenderPage> {
    const { items, next } = await this.senders.list(caller, pageOf(query), query);
    return { senders: items.map((sender) => EmailSenderRecord.of(sender)), ...nextCursor(next) };
  }

  @Get(':senderId')
  @InOrganization('email:read')
  @ApiOperation({ operationId: 'getEmailSender', summary: 'One sender address' })
  @Answers(OneEmailSender)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('senderId') id: string): Promise<OneEmailSender> {
    return { sender: EmailSenderRecord.of(await this.senders.one(caller, id)) };
  }

  @Post()
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'createEmailSender', summary: 'Adds a sender address on one of the domains' })
  @TakesBodyOnce(CreateEmailSenderRequest)
  @Answers(OneEmailSender, 201)
  @RefusesWith('NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateEmailSenderRequest) asked: CreateEmailSenderRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.create(call, caller, asked) };
  }

  @Patch(':senderId')
  @InOrganization('email:write')
  @ApiOperation({
    operationId: 'changeEmailSender',
    summary: 'Changes what is given; another main one takes the place',
  })
  @TakesBodyOnce(ChangeEmailSenderRequest)
  @Answers(OneEmailSender)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async change(
    @ByCaller() caller: Caller,
    @Param('senderId') id: string,
    @JsonBody(ChangeEmailSenderRequest) asked: ChangeEmailSenderRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.change(call, caller, id, asked) };
  }

  @Delete(':senderId')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'removeEmailSender', summary: 'Removes a sender; the main one last' })
  @Answers(OneEmailSender)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async remove(
    @ByCaller() caller: Caller,
    @Param('senderId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailSender> {
    return { sender: await this.senders.remove(call, caller, id) };
  }
}
