import { Controller, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/sms/senders')
export class SendersController {
  constructor(@Inject(RegistrationsService) private readonly registrations: RegistrationsService) {}

  @Get()
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'listSenders', summary: 'The SMS senders, in the order of their making' })
  @Answers(SenderPage)
  @RefusesWith('VALIDATION_ERROR')
  async list(@ByCaller() caller: Caller, @QueryOf(RegistrationQuery) query: RegistrationQuery): Promise<SenderPage> {
    const { items, next } = await this.registrations.senders(caller, pageOf(query), query);
    return { senders: items.map((entry) => SenderAnswer.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'getSender', summary: 'One SMS sender' })
  @Answers(OneSender)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('entryId') id: string): Promise<OneSender> {
    return { sender: SenderAnswer.of(await this.registrations.sender(caller, id)) };
  }

  @Post()
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'createSender', summary: 'Registers a sender' })
  @TakesBodyOnce(CreateSenderRequest)
  @Answers(OneSender, 201)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateSenderRequest) asked: CreateSenderRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneSender> {
    return { sender: await this.registrations.createSender(call, caller, asked) };
  }

  @Patch(':entryId')
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'changeSender', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeSenderRequest)
  @Answers(OneSender)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async change(
    @ByCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeSenderRequest) asked: ChangeSenderRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneSender> {
    return { sender: await this.registrations.changeSender(call, caller, id, asked) };
  }
}
