import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeEmailSenderRequest,
  CreateEmailSenderRequest,
  EmailSenderPage,
  EmailSenderQuery,
  OneEmailSender,
} from './senders.dto';
import { Sample } from '@heliograph/service-kit';
import { EmailSendersService } from './senders.service';

@ApiTags('Email')
@Controller('api/organization/email/senders')
export class EmailSendersController {
  constructor(private readonly senders: EmailSendersService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'listEmailSenders', summary: 'List senders, sorted by creation time, oldest first' })
  @ApiData(EmailSenderPage)
  list(@CurrentCaller() caller: Caller, @Query() query: EmailSenderQuery): Promise<EmailSenderPage> {
    return this.senders.list(caller, query);
  }

  @Get(':senderId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailSender', summary: 'Get a sender' })
  @ApiData(OneEmailSender)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('senderId') id: string): Promise<OneEmailSender> {
    return this.senders.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @Sample({ body: { address: 'support@demo.example', name: 'Demo Support' } })
  @ApiOperation({ operationId: 'createEmailSender', summary: 'Create a sender on one of your domains' })
  @IdempotentWrite()
  @ApiData(OneEmailSender, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailSenderRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSender> {
    return this.senders.create(write, caller, body);
  }

  @Patch(':senderId')
  @RequirePermission('email:write')
  @ApiOperation({
    operationId: 'changeEmailSender',
    summary: 'Update a sender',
    description: 'A new default sender replaces the previous default sender.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailSender)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  update(
    @CurrentCaller() caller: Caller,
    @Param('senderId') id: string,
    @Body() body: ChangeEmailSenderRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSender> {
    return this.senders.update(write, caller, id, body);
  }

  @Delete(':senderId')
  @RequirePermission('email:write')
  @Sample({
    values: {
      senderId: {
        create: '/api/organization/email/senders',
        body: { address: 'news@demo.example', name: 'Demo News' },
      },
    },
  })
  @ApiOperation({
    operationId: 'removeEmailSender',
    summary: 'Delete a sender',
    description: 'The default sender can only be deleted last.',
  })
  @IdempotentWrite()
  @ApiData(OneEmailSender)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('senderId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSender> {
    return this.senders.remove(write, caller, id);
  }
}
