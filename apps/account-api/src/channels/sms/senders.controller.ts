import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { SendersService } from './senders.service';
import { ChangeSenderRequest, CreateSenderRequest, OneSender, SenderPage, RegistrationQuery } from './sms.dto';

@ApiTags('SMS')
@Controller('api/organization/sms/senders')
export class SendersController {
  constructor(private readonly senders: SendersService) {}

  @Get()
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'listSenders',
    summary: 'List SMS senders, sorted by creation time, oldest first',

    description: 'Contains inactive senders.',
    response: SenderPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: RegistrationQuery): Promise<SenderPage> {
    return this.senders.list(caller, query);
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'getSender',
    summary: 'Get an SMS sender',
    description: 'Returns a sender with its DLT id.',
    response: OneSender,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneSender> {
    return this.senders.get(caller, id);
  }

  @Post()
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createSender',
    summary: 'Register an SMS sender',

    description: 'The header must be registered in the DLT registry of the country first, where the country has one.',
    status: 201,
    response: OneSender,
    errors: ['NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: { header: 'DEMONW', onboardingId: '01941f29-7c00-7000-8000-000000000001' },
      values: { onboardingId: { get: '/api/organization/sms/onboardings', match: '"country":"US"' } },
    },
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateSenderRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneSender> {
    return this.senders.create(write, caller, body);
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeSender',
    summary: 'Update an SMS sender',

    description: 'An inactive sender is refused by sends; its messages continue.',
    response: OneSender,
    errors: ['NOT_FOUND', 'NAME_TAKEN'],
    sample: { body: { isActive: true } },
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @Body() body: ChangeSenderRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneSender> {
    return this.senders.update(write, caller, id, body);
  }
}
