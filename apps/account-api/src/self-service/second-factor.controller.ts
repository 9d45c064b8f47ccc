import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { LiveSession } from '@heliograph/users';
import { RateLimitedAs, RequireSession } from '../access/access.decorators';
import { ActiveSession } from '../access/caller';
import { ApiData, ApiNoContent, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody } from '../http/json-body';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { CodeRequest, EnrollRequest, Enrollment, RecoveryCodes, SecondFactor } from './second-factor.dto';
import { SecondFactorService } from './second-factor.service';

@ApiTags('Authentication')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/auth/mfa')
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorService) {}

  @Get()
  @RequireSession()
  @ApiOperation({
    operationId: 'getSecondFactor',
    summary: 'Get the status of multi-factor authentication and the number of remaining recovery codes',
  })
  @ApiData(SecondFactor)
  look(@ActiveSession() { user }: LiveSession): Promise<SecondFactor> {
    return this.factors.look(user);
  }

  @Post()
  @RequireSession()
  @RateLimitedAs('stranger')
  @ApiOperation({
    operationId: 'enrollSecondFactor',
    summary: 'Start the enrollment of an authenticator app; returns a secret to confirm',
  })
  @ApiJsonBody(EnrollRequest)
  @ApiData(Enrollment)
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'MFA_ALREADY_ENABLED')
  enroll(
    @CurrentUser() currentUser: AuthenticatedUser,
    @JsonBody(EnrollRequest) { password }: EnrollRequest,
  ): Promise<Enrollment> {
    return this.factors.enroll(currentUser, password);
  }

  @Post('confirm')
  @RequireSession()
  @RateLimitedAs('stranger')
  @ApiOperation({
    operationId: 'confirmSecondFactor',
    summary: 'Enable multi-factor authentication; returns single-use recovery codes',
  })
  @ApiJsonBody(CodeRequest)
  @ApiData(RecoveryCodes)
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'STATE_CONFLICT')
  async confirm(
    @CurrentUser() currentUser: AuthenticatedUser,
    @JsonBody(CodeRequest) { code }: CodeRequest,
  ): Promise<RecoveryCodes> {
    return { recoveryCodes: await this.factors.confirm(currentUser, code) };
  }

  @Post('recovery-codes')
  @RequireSession()
  @RateLimitedAs('stranger')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes; the previous ones become invalid',
  })
  @ApiJsonBody(CodeRequest)
  @ApiData(RecoveryCodes)
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  async renewRecoveryCodes(
    @CurrentUser() currentUser: AuthenticatedUser,
    @JsonBody(CodeRequest) { code }: CodeRequest,
  ): Promise<RecoveryCodes> {
    return { recoveryCodes: await this.factors.renewRecoveryCodes(currentUser, code) };
  }

  @Delete()
  @RequireSession()
  @RateLimitedAs('stranger')
  @ApiOperation({ operationId: 'removeSecondFactor', summary: 'Disable multi-factor authentication' })
  @ApiJsonBody(CodeRequest)
  @ApiNoContent()
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  remove(@CurrentUser() currentUser: AuthenticatedUser, @JsonBody(CodeRequest) { code }: CodeRequest): Promise<void> {
    return this.factors.remove(currentUser, code);
  }
}
