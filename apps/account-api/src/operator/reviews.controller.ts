import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, IdempotentWrite } from '../http/envelope';
import { AccountApiErrors } from '../http/api-errors';
import { CurrentWrite } from '../unit-of-work/current-write';
import { OnboardingQuery } from '../channels/sms/sms.dto';
import {
  ApproveRequest,
  OneOperatorOnboarding,
  OneRate,
  OperatorOnboardingList,
  RateRequest,
  Rates,
  RejectRequest,
} from './operator.dto';
import { Sample } from '@heliograph/service-kit';
import { ReviewsService } from './reviews.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/sms')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get('onboardings')
  @ApiOperation({ operationId: 'listOnboardingsAsOperator', summary: 'List the onboardings of all organizations' })
  @ApiData(OperatorOnboardingList)
  list(@Query() query: OnboardingQuery): Promise<OperatorOnboardingList> {
    return this.reviews.onboardingsAcrossTenants(query);
  }

  @Post('onboardings/:onboardingId/approve')
  @Sample({
    body: {},
    values: { onboardingId: { create: '/api/organization/sms/onboardings', body: { name: 'france', country: 'FR' } } },
  })
  @ApiOperation({
    operationId: 'approveOnboarding',
    summary: 'Approve an onboarding',
    description: 'The organization can then send to the country of the onboarding.',
  })
  @IdempotentWrite()
  @ApiData(OneOperatorOnboarding)
  @AccountApiErrors('STATE_CONFLICT')
  approve(
    @Param('onboardingId') id: string,
    @Body() body: ApproveRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorOnboarding> {
    return this.reviews.approve(write, id, body);
  }

  @Post('onboardings/:onboardingId/reject')
  @Sample({
    body: { reason: 'The certificate is not readable' },
    values: { onboardingId: { create: '/api/organization/sms/onboardings', body: { name: 'spain', country: 'ES' } } },
  })
  @ApiOperation({
    operationId: 'rejectOnboarding',
    summary: 'Reject an onboarding with a reason',
    description: 'Also withdraws an earlier approval.',
  })
  @IdempotentWrite()
  @ApiData(OneOperatorOnboarding)
  @AccountApiErrors('STATE_CONFLICT')
  reject(
    @Param('onboardingId') id: string,
    @Body() { reason }: RejectRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorOnboarding> {
    return this.reviews.reject(write, id, reason);
  }

  @Get('rates')
  @ApiOperation({ operationId: 'listRates', summary: 'List the credits per segment by country' })
  @ApiData(Rates)
  rates(): Promise<Rates> {
    return this.reviews.rates();
  }

  @Put('rates/:country')
  @Sample({ body: { rate: 2 }, values: { country: 'GB' } })
  @ApiOperation({ operationId: 'putRate', summary: 'Set the credits per segment for a country' })
  @IdempotentWrite()
  @ApiData(OneRate)
  putRate(
    @Param('country') country: string,
    @Body() { rate }: RateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneRate> {
    return this.reviews.putRate(write, country, rate);
  }
}
