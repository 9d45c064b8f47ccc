import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, requestIdOf } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import { RateLimitedAs } from '../access/access.decorators';
import { ApiData, ApiNoContent, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody } from '../http/json-body';
import { attemptOf } from './authenticated-user';
import { RequestPasswordResetRequest, PasswordResetRequested, ResetPasswordRequest } from './password-resets.dto';
import { PasswordResetsService } from './password-resets.service';

@ApiTags('Authentication')
@ApiErrors('RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE')
@Controller('api/auth/password-resets')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResetsService) {}

  @Post()
  @Public()
  @RateLimitedAs('stranger')
  @ApiOperation({
    operationId: 'askForPasswordReset',
    summary: 'Send a password reset link, if the address belongs to a user',
  })
  @ApiJsonBody(RequestPasswordResetRequest)
  @ApiData(PasswordResetRequested, 202)
  async ask(
    @JsonBody(RequestPasswordResetRequest) { email }: RequestPasswordResetRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PasswordResetRequested> {
    await this.resets.ask(email, attemptOf(request), requestIdOf(response));
    return {};
  }

  @Post(':token')
  @Public()
  @RateLimitedAs('stranger')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token and end all sessions',
    description: 'Does not log in, and does not disable multi-factor authentication.',
  })
  @ApiJsonBody(ResetPasswordRequest)
  @ApiNoContent()
  @ApiErrors('NOT_FOUND')
  async finish(
    @Param('token') token: string,
    @JsonBody(ResetPasswordRequest) { password }: ResetPasswordRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.resets.finish(token, password, attemptOf(request), requestIdOf(response));
  }
}
