import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, requestIdOf } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import { RateLimitedAs } from '../access/access.decorators';
import { refuseForeignLogin } from '../access/own-origin';
import { readCookie, setSessionCookies } from '../access/session-cookie';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from '../account-api.config';
import { LoggedIn, SessionRecord } from '../auth/auth.dto';
import { ApiData, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody } from '../http/json-body';
import { JoinRequest, OneReceivedInvitation } from './joining.dto';
import { JoiningService } from './joining.service';

@ApiTags('Authentication')
@ApiErrors('NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE')
@Controller('api/auth/invitations')
export class JoiningController {
  constructor(
    private readonly joining: JoiningService,
    @Inject(ACCOUNT_API_CONFIG) private readonly config: AccountApiConfig,
  ) {}

  @Get(':token')
  @Public()
  @RateLimitedAs('stranger')
  @ApiOperation({ operationId: 'getReceivedInvitation', summary: 'Get the invitation of a link' })
  @ApiData(OneReceivedInvitation)
  async look(@Param('token') token: string): Promise<OneReceivedInvitation> {
    return { invitation: await this.joining.look(token) };
  }

  @Post(':token')
  @Public()
  @RateLimitedAs('stranger')
  @ApiOperation({ operationId: 'acceptInvitation', summary: 'Accept an invitation; creates a session' })
  @ApiJsonBody(JoinRequest)
  @ApiData(LoggedIn)
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED', 'FORBIDDEN', 'NAME_TAKEN')
  async join(
    @Param('token') token: string,
    @JsonBody(JoinRequest) body: JoinRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoggedIn> {
    refuseForeignLogin(request, this.config.PUBLIC_ORIGINS);
    const opened = await this.joining.join(token, body, {
      from: { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent'] ?? null },
      deviceToken: readCookie(request, 'device'),
      sessionToken: readCookie(request, 'session'),
      requestId: requestIdOf(response),
    });
    setSessionCookies(request, response, opened);
    return { session: SessionRecord.of(opened.session) };
  }
}
