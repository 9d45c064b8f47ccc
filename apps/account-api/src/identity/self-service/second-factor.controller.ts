import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { LiveSession } from '@heliograph/users';
import { RequireSession, RateLimitedAs } from '../../access/access.decorators';
import { ActiveSession } from '../../access/caller';
import { ApiData, ApiNoContent } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { CodeRequest, EnrollRequest, Enrollment, RecoveryCodes, SecondFactor } from './second-factor.dto';
import { Sample } from '@heliograph/service-kit';
import { SecondFactorService } from './second-factor.service';

@ApiTags('Authentication')
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
  @RateLimitedAs('credentials')
  @ApiOperation({
    operationId: 'enrollSecondFactor',
    summary: 'Start the enrollment of an authenticator app',
    description:
      'The response contains the secret for the app. Confirm it with a code to enable multi-factor authentication.',
  })
  @ApiData(Enrollment)
  @AccountApiErrors('EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_ALREADY_ENABLED')
  enroll(@CurrentUser() currentUser: AuthenticatedUser, @Body() { password }: EnrollRequest): Promise<Enrollment> {
    return this.factors.enroll(currentUser, password);
  }

  @Post('confirm')
  @RequireSession()
  @RateLimitedAs('credentials')
  @Sample({ body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } })
  @ApiOperation({
    operationId: 'confirmSecondFactor',
    summary: 'Enable multi-factor authentication',
    description: 'The response contains single-use recovery codes.',
  })
  @ApiData(RecoveryCodes)
  @AccountApiErrors('EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'STATE_CONFLICT')
  confirm(@CurrentUser() currentUser: AuthenticatedUser, @Body() { code }: CodeRequest): Promise<RecoveryCodes> {
    return this.factors.confirm(currentUser, code);
  }

  @Post('recovery-codes')
  @RequireSession()
  @RateLimitedAs('credentials')
  @Sample({ body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } })
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'The previous recovery codes become invalid.',
  })
  @ApiData(RecoveryCodes)
  @AccountApiErrors('EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  renewRecoveryCodes(
    @CurrentUser() currentUser: AuthenticatedUser,
    @Body() { code }: CodeRequest,
  ): Promise<RecoveryCodes> {
    return this.factors.renewRecoveryCodes(currentUser, code);
  }

  @Delete()
  @RequireSession()
  @RateLimitedAs('credentials')
  @Sample({ body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } })
  @ApiOperation({ operationId: 'removeSecondFactor', summary: 'Disable multi-factor authentication' })
  @ApiNoContent()
  @AccountApiErrors('EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED')
  remove(@CurrentUser() currentUser: AuthenticatedUser, @Body() { code }: CodeRequest): Promise<void> {
    return this.factors.remove(currentUser, code);
  }
}
