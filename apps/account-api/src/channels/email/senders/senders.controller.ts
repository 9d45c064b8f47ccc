import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeEmailSenderRequest,
  CreateEmailSenderRequest,
  EmailSenderPage,
  EmailSenderQuery,
  OneEmailSender,
} from './senders.dto';
import { EmailSendersService } from './senders.service';

@ApiTags('Email')
@Controller('api/organization/email/senders')
export class EmailSendersController {
  constructor(private readonly senders: EmailSendersService) {}

  @Get()
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'listEmailSenders',
    summary: 'List senders, sorted by creation time, oldest first',

    description: 'The main sender is the sender of mails without `from`.',
    response: EmailSenderPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: EmailSenderQuery): Promise<EmailSenderPage> {
    return this.senders.list(caller, query);
  }

  @Get(':senderId')
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'getEmailSender',
    summary: 'Get a sender',
    description: 'Returns the address, the name and the domain of a sender.',
    response: OneEmailSender,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('senderId') id: string): Promise<OneEmailSender> {
    return this.senders.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createEmailSender',
    summary: 'Create a sender on one of your domains',

    description: 'The domain must be verified before the sender can send.',
    status: 201,
    response: OneEmailSender,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
    sample: { body: { address: 'support@demo.example', name: 'Demo Support' } },
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailSenderRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSender> {
    return this.senders.create(write, caller, body);
  }

  @Patch(':senderId')
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeEmailSender',
    summary: 'Update a sender',
    description: 'A new default sender replaces the previous default sender.',
    response: OneEmailSender,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeEmailSender',
    summary: 'Delete a sender',
    description: 'The default sender can only be deleted last.',
    response: OneEmailSender,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: {
      values: {
        senderId: {
          create: '/api/organization/email/senders',
          body: { address: 'news@demo.example', name: 'Demo News' },
        },
      },
    },
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('senderId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailSender> {
    return this.senders.remove(write, caller, id);
  }
}
