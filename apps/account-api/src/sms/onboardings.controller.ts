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
  ChangeOnboardingRequest,
  CreateOnboardingRequest,
  OnboardingRecord,
  OneOnboarding,
  OnboardingList,
  OnboardingQuery,
} from './sms.dto';

@ApiTags('SMS')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/sms/onboardings')
export class OnboardingsController {
  constructor(private readonly registrations: RegistrationsService) {}

  @Get()
  @RequirePermission('sms:read')
  @ApiOperation({
    operationId: 'listOnboardings',
    summary: 'List SMS onboardings, sorted by creation time, oldest first',
  })
  @ApiData(OnboardingList)
  @ApiErrors('VALIDATION_ERROR')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(OnboardingQuery) query: OnboardingQuery,
  ): Promise<OnboardingList> {
    const { items, next } = await this.registrations.onboardings(caller, pageOf(query), query);
    return { onboardings: items.map((entry) => OnboardingRecord.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'getOnboarding', summary: 'Get an SMS onboarding' })
  @ApiData(OneOnboarding)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneOnboarding> {
    return { onboarding: OnboardingRecord.of(await this.registrations.onboarding(caller, id)) };
  }

  @Post()
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'createOnboarding', summary: 'Submit an SMS onboarding for review by the operator' })
  @ApiIdempotentBody(CreateOnboardingRequest)
  @ApiData(OneOnboarding, 201)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateOnboardingRequest) body: CreateOnboardingRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.createOnboarding(write, caller, body) };
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'changeOnboarding', summary: 'Update an SMS onboarding' })
  @ApiIdempotentBody(ChangeOnboardingRequest)
  @ApiData(OneOnboarding)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeOnboardingRequest) body: ChangeOnboardingRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.changeOnboarding(write, caller, id, body) };
  }

  @Post(':entryId/resubmit')
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'resubmitOnboarding', summary: 'Resubmit a rejected SMS onboarding for review' })
  @ApiData(OneOnboarding)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async resubmit(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.resubmitOnboarding(write, caller, id) };
  }
}
