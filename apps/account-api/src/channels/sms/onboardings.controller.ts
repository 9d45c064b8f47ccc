import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { Sample } from '@heliograph/service-kit';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData, IdempotentWrite } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
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
  @ApiOperation({
    operationId: 'listOnboardings',
    summary: 'List SMS onboardings, sorted by creation time, oldest first',
  })
  @ApiData(OnboardingList)
  list(@CurrentCaller() caller: Caller, @Query() query: OnboardingQuery): Promise<OnboardingList> {
    return this.onboardings.list(caller, query);
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'getOnboarding', summary: 'Get an SMS onboarding' })
  @ApiData(OneOnboarding)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneOnboarding> {
    return this.onboardings.get(caller, id);
  }

  @Post()
  @RequirePermission('sms:write')
  @Sample({ body: { name: 'germany', country: 'DE' } })
  @ApiOperation({ operationId: 'createOnboarding', summary: 'Submit an SMS onboarding for review by the operator' })
  @IdempotentWrite()
  @ApiData(OneOnboarding, 201)
  @AccountApiErrors('NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateOnboardingRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOnboarding> {
    return this.onboardings.create(write, caller, body);
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @Sample({
    body: { name: 'france-retail' },
    values: { entryId: { create: '/api/organization/sms/onboardings', body: { name: 'italy', country: 'IT' } } },
  })
  @ApiOperation({ operationId: 'changeOnboarding', summary: 'Update an SMS onboarding' })
  @IdempotentWrite()
  @ApiData(OneOnboarding)
  @AccountApiErrors('NOT_FOUND', 'NAME_TAKEN')
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
  @Sample({ values: { entryId: { get: '/api/organization/sms/onboardings', match: '"status":"rejected"' } } })
  @ApiOperation({ operationId: 'resubmitOnboarding', summary: 'Resubmit a rejected SMS onboarding for review' })
  @IdempotentWrite()
  @ApiData(OneOnboarding)
  @AccountApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  resubmit(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneOnboarding> {
    return this.onboardings.resubmit(write, caller, id);
  }
}
