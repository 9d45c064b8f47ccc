import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, requestIdOf } from '@heliograph/platform';
import type { Request, Response } from 'express';
import { CountedAs } from '../access/access.decorators';
import { refuseForeignLogin } from '../access/own-origin';
import { readCookie, setSessionCookies } from '../access/session-cookie';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { LoggedIn, SessionRecord } from '../auth/auth.dto';
import { Answers, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody } from '../http/json-body';
import { JoinRequest, OneReceivedInvitation } from './joining.dto';
import { JoiningService } from './joining.service';

@ApiTags('Authentication')
@RefusesWith('NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE')
@Controller('api/auth/invitations')
export class JoiningController {
  constructor(
    @Inject(JoiningService) private readonly joining: JoiningService,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  @Get(':token')
  @Public()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'getReceivedInvitation', summary: 'What the link of an invitation stands for' })
  @Answers(OneReceivedInvitation)
  async look(@Param('token') token: string): Promise<OneReceivedInvitation> {
    return { invitation: await this.joining.look(token) };
  }

  @Post(':token')
  @Public()
  @CountedAs('stranger')
  @ApiOperation({ operationId: 'acceptInvitation', summary: 'Joins the organization and opens a session' })
  @TakesBody(JoinRequest)
  @Answers(LoggedIn)
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED', 'FORBIDDEN', 'NAME_TAKEN')
  async join(
    @Param('token') token: string,
    @JsonBody(JoinRequest) asked: JoinRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoggedIn> {
    refuseForeignLogin(request, this.settings.PUBLIC_ORIGINS);
    const opened = await this.joining.join(token, asked, {
      from: { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent'] ?? null },
      deviceToken: readCookie(request, 'device'),
      sessionToken: readCookie(request, 'session'),
      requestId: requestIdOf(response),
    });
    setSessionCookies(request, response, opened);
    return { session: SessionRecord.of(opened.session) };
  }
}
