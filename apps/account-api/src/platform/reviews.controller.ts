import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, OPERATOR_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { OnboardingQuery } from '../sms/sms.dto';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ApproveRequest,
  OneOperatorOnboarding,
  OneRate,
  OperatorOnboardingList,
  RateRecord,
  RateRequest,
  Rates,
  RejectRequest,
} from './platform.dto';
import { operatorOnboarding, ReviewsService } from './reviews.service';

@ApiTags('Platform operator')
@RequireOperator()
@ApiErrors(...OPERATOR_ERRORS)
@Controller('api/platform/sms')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get('onboardings')
  @ApiOperation({ operationId: 'listOnboardingsAsOperator', summary: 'List the onboardings of all organizations' })
  @ApiData(OperatorOnboardingList)
  @ApiErrors('VALIDATION_ERROR')
  async list(@ValidatedQuery(OnboardingQuery) query: OnboardingQuery): Promise<OperatorOnboardingList> {
    const { items, next } = await this.reviews.onboardingsAcrossTenants(pageOf(query), query.status);
    return { onboardings: items.map((one) => operatorOnboarding(one)), ...nextCursor(next) };
  }

  @Post('onboardings/:onboardingId/approve')
  @ApiOperation({
    operationId: 'approveOnboarding',
    summary: 'Approve an onboarding, so that the organization can send to the country',
  })
  @ApiIdempotentBody(ApproveRequest)
  @ApiData(OneOperatorOnboarding)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async approve(
    @Param('onboardingId') id: string,
    @JsonBody(ApproveRequest) body: ApproveRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOperatorOnboarding> {
    return { onboarding: await this.reviews.approve(write, id, body) };
  }

  @Post('onboardings/:onboardingId/reject')
  @ApiOperation({
    operationId: 'rejectOnboarding',
    summary: 'Reject an onboarding with a reason; also withdraws an approval',
  })
  @ApiIdempotentBody(RejectRequest)
  @ApiData(OneOperatorOnboarding)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async reject(
    @Param('onboardingId') id: string,
    @JsonBody(RejectRequest) { reason }: RejectRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOperatorOnboarding> {
    return { onboarding: await this.reviews.reject(write, id, reason) };
  }

  @Get('rates')
  @ApiOperation({ operationId: 'listRates', summary: 'List the credits per segment by country' })
  @ApiData(Rates)
  async rates(): Promise<Rates> {
    return { rates: (await this.reviews.rates()).map((rate) => RateRecord.of(rate)) };
  }

  @Put('rates/:country')
  @ApiOperation({ operationId: 'putRate', summary: 'Set the credits per segment for a country' })
  @ApiIdempotentBody(RateRequest)
  @ApiData(OneRate)
  async putRate(
    @Param('country') country: string,
    @JsonBody(RateRequest) { rate }: RateRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneRate> {
    return { rate: await this.reviews.putRate(write, country, rate) };
  }
}
