import { Controller, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { Answers, OPERATOR_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { OnboardingQuery } from '../sms/sms.dto';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...OPERATOR_REFUSALS)
@Controller('api/platform/sms')
export class ReviewsController {
  constructor(@Inject(ReviewsService) private readonly reviews: ReviewsService) {}

  @Get('onboardings')
  @ApiOperation({ operationId: 'listOnboardingsAsOperator', summary: 'The onboardings of all organizations' })
  @Answers(OperatorOnboardingList)
  @RefusesWith('VALIDATION_ERROR')
  async list(@QueryOf(OnboardingQuery) query: OnboardingQuery): Promise<OperatorOnboardingList> {
    const { items, next } = await this.reviews.onboardingsAcrossTenants(pageOf(query), query.status);
    return { onboardings: items.map((one) => operatorOnboarding(one)), ...nextCursor(next) };
  }

  @Post('onboardings/:onboardingId/approve')
  @ApiOperation({ operationId: 'approveOnboarding', summary: 'Lets the organization send to the country' })
  @TakesBodyOnce(ApproveRequest)
  @Answers(OneOperatorOnboarding)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async approve(
    @Param('onboardingId') id: string,
    @JsonBody(ApproveRequest) asked: ApproveRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOperatorOnboarding> {
    return { onboarding: await this.reviews.approve(call, id, asked) };
  }

  @Post('onboardings/:onboardingId/reject')
  @ApiOperation({ operationId: 'rejectOnboarding', summary: 'Says no, and why; an approval is withdrawn likewise' })
  @TakesBodyOnce(RejectRequest)
  @Answers(OneOperatorOnboarding)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async reject(
    @Param('onboardingId') id: string,
    @JsonBody(RejectRequest) { reason }: RejectRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOperatorOnboarding> {
    return { onboarding: await this.reviews.reject(call, id, reason) };
  }

  @Get('rates')
  @ApiOperation({ operationId: 'listRates', summary: 'Credits a segment, by country' })
  @Answers(Rates)
  async rates(): Promise<Rates> {
    return { rates: (await this.reviews.rates()).map((rate) => RateRecord.of(rate)) };
  }

  @Put('rates/:country')
  @ApiOperation({ operationId: 'putRate', summary: 'Sets what a segment to a country costs' })
  @TakesBodyOnce(RateRequest)
  @Answers(OneRate)
  async putRate(
    @Param('country') country: string,
    @JsonBody(RateRequest) { rate }: RateRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneRate> {
    return { rate: await this.reviews.putRate(call, country, rate) };
  }
}
