import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { LiveSession } from '@heliograph/users';
import { CountedAs, RequireSession } from '../access/access.decorators';
import { OfSession } from '../access/caller';
import { Answers, AnswersNothing, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody } from '../http/json-body';
import { AsOneself, type Oneself } from './oneself';
import { CodeRequest, EnrollRequest, Enrollment, RecoveryCodes, SecondFactor } from './second-factor.dto';
import { SecondFactorService } from './second-factor.service';

@ApiTags('Authentication')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/auth/mfa')
export class SecondFactorController {
  constructor(@Inject(SecondFactorService) private readonly factors: SecondFactorService) {}

  @Get()
  @RequireSession()
  @ApiOperation({
    operationId: 'getSecondFactor',
    summary: 'Whether there is one, and how many recovery codes are left',
  })
  @Answers(SecondFactor)
  look(@OfSession() { user }: LiveSession): Promise<SecondFactor> {
    return this.factors.look(user);
  }

  @Post()
  @RequireSession()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'enrollSecondFactor', summary: 'A secret for an authenticator app; to be confirmed' })
  @TakesBody(EnrollRequest)
  @Answers(Enrollment)
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'MFA_ALREADY_ENABLED')
  enroll(@AsOneself() oneself: Oneself, @JsonBody(EnrollRequest) { password }: EnrollRequest): Promise<Enrollment> {
    return this.factors.enroll(oneself, password);
  }

  @Post('confirm')
  @RequireSession()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'confirmSecondFactor', summary: 'Switches it on, and shows the recovery codes, once' })
  @TakesBody(CodeRequest)
  @Answers(RecoveryCodes)
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'STATE_CONFLICT')
  async confirm(@AsOneself() oneself: Oneself, @JsonBody(CodeRequest) { code }: CodeRequest): Promise<RecoveryCodes> {
    return { recoveryCodes: await this.factors.confirm(oneself, code) };
  }

  @Post('recovery-codes')
  @RequireSession()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'renewRecoveryCodes', summary: 'New recovery codes; those from before stop working' })
  @TakesBody(CodeRequest)
  @Answers(RecoveryCodes)
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  async renewRecoveryCodes(
    @AsOneself() oneself: Oneself,
    @JsonBody(CodeRequest) { code }: CodeRequest,
  ): Promise<RecoveryCodes> {
    return { recoveryCodes: await this.factors.renewRecoveryCodes(oneself, code) };
  }

  @Delete()
  @RequireSession()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'removeSecondFactor', summary: 'Switches it off' })
  @TakesBody(CodeRequest)
  @AnswersNothing()
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  remove(@AsOneself() oneself: Oneself, @JsonBody(CodeRequest) { code }: CodeRequest): Promise<void> {
    return this.factors.remove(oneself, code);
  }
}
