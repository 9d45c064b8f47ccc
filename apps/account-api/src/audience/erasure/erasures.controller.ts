import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { ErasePersonRequest, OneErasure } from './erasures.dto';
import { PersonErasureService } from './person-erasure.service';

@ApiTags('Erasure of persons')
@Controller('api/organization/erasures')
export class ErasuresController {
  constructor(private readonly erasures: PersonErasureService) {}

  @Post()
  @RequirePermission('persons:erase')
  @IdempotentWrite()
  @AccountOperation({
    id: 'erasePerson',
    summary: 'Erase a person by email address or phone number',
    description:
      'Deletes contacts, form submissions and conversations of the person, and masks the person in message logs. Ledger ' +
      'entries and a keyed hash of the address are retained, so that channels on which the person had opted out or was suppressed ' +
      'stay blocked until a new opt-in. Runs in the background. Data that is created after the request is retained; a repeated request erases data that was stored after the first request.',
    status: 202,
    response: OneErasure,
    sample: { body: { address: 'former@elsewhere.example' } },
  })
  erase(
    @CurrentCaller() caller: Caller,
    @Body() body: ErasePersonRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneErasure> {
    return this.erasures.erase(write, caller, body);
  }

  @Get(':erasureId')
  @RequirePermission('persons:erase')
  @AccountOperation({
    id: 'getErasure',
    summary: 'Get the progress of an erasure',

    description: 'An erasure ends when every service has erased the person.',
    response: OneErasure,
    errors: ['NOT_FOUND'],
    sample: { values: { erasureId: { create: '/api/organization/erasures' } } },
  })
  get(@CurrentCaller() caller: Caller, @Param('erasureId') id: string): Promise<OneErasure> {
    return this.erasures.get(caller, id);
  }
}
