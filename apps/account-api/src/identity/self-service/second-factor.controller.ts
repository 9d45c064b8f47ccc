import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { LiveSession } from '@heliograph/users';
import { RequireSession, RateLimitedAs } from '../../access/access.decorators';
import { ActiveSession } from '../../access/caller';
import { AccountOperation, ApiNoContent } from '../../http/envelope';
import { CurrentUser, type AuthenticatedUser } from './authenticated-user';
import { CodeRequest, EnrollRequest, Enrollment, RecoveryCodes, SecondFactor } from './second-factor.dto';
import { SecondFactorService } from './second-factor.service';

@ApiTags('Authentication')
@Controller('api/auth/mfa')
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorService) {}

  @Get()
  @RequireSession()
  @AccountOperation({
    id: 'getSecondFactor',
    summary: 'Get the status of multi-factor authentication and the number of remaining recovery codes',

    description: 'Create new recovery codes when few remain.',
    response: SecondFactor,
  })
  look(@ActiveSession() { user }: LiveSession): Promise<SecondFactor> {
    return this.factors.look(user);
  }

  @Post()
  @RequireSession()
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'enrollSecondFactor',
    summary: 'Start the enrollment of an authenticator app',
    description:
      'The response contains the secret for the app. Confirm it with a code to enable multi-factor authentication.',
    response: Enrollment,
    errors: ['EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_ALREADY_ENABLED'],
  })
  enroll(@CurrentUser() currentUser: AuthenticatedUser, @Body() { password }: EnrollRequest): Promise<Enrollment> {
    return this.factors.enroll(currentUser, password);
  }

  @Post('confirm')
  @RequireSession()
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'confirmSecondFactor',
    summary: 'Enable multi-factor authentication',
    description: 'The response contains single-use recovery codes.',
    response: RecoveryCodes,
    errors: ['EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'STATE_CONFLICT'],
    sample: { body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } },
  })
  confirm(@CurrentUser() currentUser: AuthenticatedUser, @Body() { code }: CodeRequest): Promise<RecoveryCodes> {
    return this.factors.confirm(currentUser, code);
  }

  @Post('recovery-codes')
  @RequireSession()
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'The previous recovery codes become invalid.',
    response: RecoveryCodes,
    errors: ['EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED'],
    sample: { body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } },
  })
  renewRecoveryCodes(
    @CurrentUser() currentUser: AuthenticatedUser,
    @Body() { code }: CodeRequest,
  ): Promise<RecoveryCodes> {
    return this.factors.renewRecoveryCodes(currentUser, code);
  }

  @Delete()
  @RequireSession()
  @RateLimitedAs('credentials')
  @ApiNoContent()
  @AccountOperation({
    id: 'removeSecondFactor',
    summary: 'Disable multi-factor authentication',

    description:
      'Requires a code of the authenticator app or a recovery code. Log-ins need only the password afterwards.',
    errors: ['EMAIL_NOT_VERIFIED', 'AUTH_INVALID_CREDENTIALS', 'MFA_NOT_ENABLED'],
    sample: { body: { code: '123456' }, values: { code: { given: 'the code that the authenticator app shows' } } },
  })
  remove(@CurrentUser() currentUser: AuthenticatedUser, @Body() { code }: CodeRequest): Promise<void> {
    return this.factors.remove(currentUser, code);
  }
}
