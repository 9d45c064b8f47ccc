import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public, RequestId } from '@heliograph/service-kit';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { AccountApiErrors, PUBLIC_ERRORS } from '../../http/api-errors';
import { AccountOperation, ApiNoContent } from '../../http/envelope';
import { PasswordResetRequested, RequestPasswordResetRequest, ResetPasswordRequest } from './password-resets.dto';
import { PasswordResetsService } from './password-resets.service';

@ApiTags('Authentication')
@AccountApiErrors(...PUBLIC_ERRORS)
@Controller('api/auth/password-resets')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResetsService) {}

  @Post()
  @Public()
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'askForPasswordReset',
    summary: 'Request a password reset link',
    description: 'The link is sent if the address belongs to a user. The response does not reveal whether it does.',
    status: 202,
    response: PasswordResetRequested,
    sample: { body: { email: 'owner@demo.example' } },
  })
  async request(
    @Body() { email }: RequestPasswordResetRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<PasswordResetRequested> {
    await this.resets.request(email, attempt, requestId);
    return {};
  }

  @Post(':token')
  @Public()
  @RateLimitedAs('credentials')
  @ApiNoContent()
  @AccountOperation({
    id: 'resetPassword',
    summary: 'Set a new password with a reset token and end all sessions',
    description: 'Does not log in, and does not disable multi-factor authentication.',
    errors: ['NOT_FOUND'],
    sample: {
      body: { password: 'a better battery staple' },
      values: { token: { given: 'token in the link of the email' } },
    },
  })
  finish(
    @Param('token') token: string,
    @Body() { password }: ResetPasswordRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<void> {
    return this.resets.finish(token, password, attempt, requestId);
  }
}
