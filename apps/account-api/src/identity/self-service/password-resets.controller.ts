import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, RequestId, Sample } from '@heliograph/service-kit';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { AccountApiErrors, PUBLIC_ERRORS } from '../../http/api-errors';
import { ApiData, ApiNoContent } from '../../http/envelope';
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
  @Sample({ body: { email: 'owner@demo.example' } })
  @ApiOperation({
    operationId: 'askForPasswordReset',
    summary: 'Request a password reset link',
    description: 'The link is sent if the address belongs to a user. The response does not reveal whether it does.',
  })
  @ApiData(PasswordResetRequested, 202)
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
  @Sample({
    body: { password: 'a better battery staple' },
    values: { token: { given: 'token in the link of the email' } },
  })
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token and end all sessions',
    description: 'Does not log in, and does not disable multi-factor authentication.',
  })
  @ApiNoContent()
  @AccountApiErrors('NOT_FOUND')
  finish(
    @Param('token') token: string,
    @Body() { password }: ResetPasswordRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<void> {
    return this.resets.finish(token, password, attempt, requestId);
  }
}
