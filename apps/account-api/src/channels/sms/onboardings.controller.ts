import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { OnboardingsService } from './onboardings.service';
import {
  ChangeOnboardingRequest,
  CreateOnboardingRequest,
  OneOnboarding,
  OnboardingList,
  OnboardingQuery,
} from './sms.dto';

@ApiTags('SMS')
@Controller('api/organization/sms/onboardings')
export class OnboardingsController {
  constructor(private readonly onboardings: OnboardingsService) {}

  @Get()
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'listOnboardings',
    summary: 'List SMS onboardings, sorted by creation time, oldest first',

    description: 'Contains pending, approved and rejected onboardings of all countries.',
    response: OnboardingList,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: OnboardingQuery): Promise<OnboardingList> {
    return this.onboardings.list(caller, query);
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'getOnboarding',
    summary: 'Get an SMS onboarding',

    description: 'Contains the decision of the operator, and the reason of a rejection.',
    response: OneOnboarding,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneOnboarding> {
    return this.onboardings.get(caller, id);
  }

  @Post()
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createOnboarding',
    summary: 'Submit an SMS onboarding for review by the operator',

    description: 'The operator reviews it. Sends with senders of the country are refused until it is approved.',
    status: 201,
    response: OneOnboarding,
    errors: ['NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: { body: { name: 'germany', country: 'DE' } },
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateOnboardingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOnboarding> {
    return this.onboardings.create(write, caller, body);
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeOnboarding',
    summary: 'Update an SMS onboarding',

    description: 'Resubmit a rejected onboarding after the change.',
    response: OneOnboarding,
    errors: ['NOT_FOUND', 'NAME_TAKEN'],
    sample: {
      body: { name: 'france-retail' },
      values: { entryId: { create: '/api/organization/sms/onboardings', body: { name: 'italy', country: 'IT' } } },
    },
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @Body() body: ChangeOnboardingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOnboarding> {
    return this.onboardings.update(write, caller, id, body);
  }

  @Post(':entryId/resubmit')
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'resubmitOnboarding',
    summary: 'Resubmit a rejected SMS onboarding for review',

    description: 'Its status is `pending` again.',
    response: OneOnboarding,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: { values: { entryId: { get: '/api/organization/sms/onboardings', match: '"status":"rejected"' } } },
  })
  resubmit(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneOnboarding> {
    return this.onboardings.resubmit(write, caller, id);
  }
}
