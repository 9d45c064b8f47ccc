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
  ChangeOnboardingRequest,
  CreateOnboardingRequest,
  OnboardingRecord,
  OneOnboarding,
  OnboardingList,
  OnboardingQuery,
} from './sms.dto';

@ApiTags('SMS')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/sms/onboardings')
export class OnboardingsController {
  constructor(@Inject(RegistrationsService) private readonly registrations: RegistrationsService) {}

  @Get()
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'listOnboardings', summary: 'The SMS onboardings, in the order of their making' })
  @Answers(OnboardingList)
  @RefusesWith('VALIDATION_ERROR')
  async list(@ByCaller() caller: Caller, @QueryOf(OnboardingQuery) query: OnboardingQuery): Promise<OnboardingList> {
    const { items, next } = await this.registrations.onboardings(caller, pageOf(query), query);
    return { onboardings: items.map((entry) => OnboardingRecord.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @InOrganization('sms:read')
  @ApiOperation({ operationId: 'getOnboarding', summary: 'One SMS onboarding' })
  @Answers(OneOnboarding)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('entryId') id: string): Promise<OneOnboarding> {
    return { onboarding: OnboardingRecord.of(await this.registrations.onboarding(caller, id)) };
  }

  @Post()
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'createOnboarding', summary: 'Submits an onboarding; the platform operator decides' })
  @TakesBodyOnce(CreateOnboardingRequest)
  @Answers(OneOnboarding, 201)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateOnboardingRequest) asked: CreateOnboardingRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.createOnboarding(call, caller, asked) };
  }

  @Patch(':entryId')
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'changeOnboarding', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeOnboardingRequest)
  @Answers(OneOnboarding)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  async change(
    @ByCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeOnboardingRequest) asked: ChangeOnboardingRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.changeOnboarding(call, caller, id, asked) };
  }

  @Post(':entryId/resubmit')
  @InOrganization('sms:write')
  @ApiOperation({ operationId: 'resubmitOnboarding', summary: 'Asks for another decision on a rejected onboarding' })
  @Answers(OneOnboarding)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async resubmit(
    @ByCaller() caller: Caller,
    @Param('entryId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneOnboarding> {
    return { onboarding: await this.registrations.resubmitOnboarding(call, caller, id) };
  }
}
