import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, requestIdOf } from '@heliograph/platform';
import type { Request, Response } from 'express';
import { CountedAs } from '../access/access.decorators';
import { Answers, AnswersNothing, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody } from '../http/json-body';
import { attemptOf } from './oneself';
import { AskForResetRequest, ResetAskedFor, ResetPasswordRequest } from './password-resets.dto';
import { PasswordResetsService } from './password-resets.service';

@ApiTags('Authentication')
@RefusesWith('RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE')
@Controller('api/auth/password-resets')
export class PasswordResetsController {
  constructor(@Inject(PasswordResetsService) private readonly resets: PasswordResetsService) {}

  @Post()
  @Public()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'askForPasswordReset', summary: 'Mails a link to the address, if it is somebody’s' })
  @TakesBody(AskForResetRequest)
  @Answers(ResetAskedFor, 202)
  async ask(
    @JsonBody(AskForResetRequest) { email }: AskForResetRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResetAskedFor> {
    await this.resets.ask(email, attemptOf(request), requestIdOf(response));
    return {};
  }

  @Post(':token')
  @Public()
  @CountedAs('stranger')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Sets the new password and ends all sessions',
    description: 'Does not log in, and does not switch a second factor off.',
  })
  @TakesBody(ResetPasswordRequest)
  @AnswersNothing()
  @RefusesWith('NOT_FOUND')
  async finish(
    @Param('token') token: string,
    @JsonBody(ResetPasswordRequest) { password }: ResetPasswordRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.resets.finish(token, password, attemptOf(request), requestIdOf(response));
  }
}
