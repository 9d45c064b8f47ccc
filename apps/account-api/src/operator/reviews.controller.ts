import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../access/access.decorators';
import { AccountOperation, IdempotentWrite } from '../http/envelope';
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
import { ReviewsService } from './reviews.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/sms')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get('onboardings')
  @AccountOperation({
    id: 'listOnboardingsAsOperator',
    summary: 'List the onboardings of all organizations',
    description: 'Filter by status to find those that wait for a decision.',
    response: OperatorOnboardingList,
  })
  list(@Query() query: OnboardingQuery): Promise<OperatorOnboardingList> {
    return this.reviews.onboardingsAcrossTenants(query);
  }

  @Post('onboardings/:onboardingId/approve')
  @IdempotentWrite()
  @AccountOperation({
    id: 'approveOnboarding',
    summary: 'Approve an onboarding',
    description: 'The organization can then send to the country of the onboarding.',
    response: OneOperatorOnboarding,
    errors: ['STATE_CONFLICT'],
    sample: {
      body: {},
      values: {
        onboardingId: { create: '/api/organization/sms/onboardings', body: { name: 'france', country: 'FR' } },
      },
    },
  })
  approve(
    @Param('onboardingId') id: string,
    @Body() body: ApproveRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorOnboarding> {
    return this.reviews.approve(write, id, body);
  }

  @Post('onboardings/:onboardingId/reject')
  @IdempotentWrite()
  @AccountOperation({
    id: 'rejectOnboarding',
    summary: 'Reject an onboarding with a reason',
    description: 'Also withdraws an earlier approval.',
    response: OneOperatorOnboarding,
    errors: ['STATE_CONFLICT'],
    sample: {
      body: { reason: 'The certificate is not readable' },
      values: { onboardingId: { create: '/api/organization/sms/onboardings', body: { name: 'spain', country: 'ES' } } },
    },
  })
  reject(
    @Param('onboardingId') id: string,
    @Body() { reason }: RejectRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorOnboarding> {
    return this.reviews.reject(write, id, reason);
  }

  @Get('rates')
  @AccountOperation({
    id: 'listRates',
    summary: 'List the credits per segment by country',
    description: 'Contains the countries with a rate of their own.',
    response: Rates,
  })
  rates(): Promise<Rates> {
    return this.reviews.rates();
  }

  @Put('rates/:country')
  @IdempotentWrite()
  @AccountOperation({
    id: 'putRate',
    summary: 'Set the credits per segment for a country',
    description: 'The rate applies to all further messages.',
    response: OneRate,
    sample: { body: { rate: 2 }, values: { country: 'GB' } },
  })
  putRate(
    @Param('country') country: string,
    @Body() { rate }: RateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneRate> {
    return this.reviews.putRate(write, country, rate);
  }
}
