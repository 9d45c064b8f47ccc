import { Controller, Delete, Get, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { Public } from '@heliograph/service-kit';
import { LoginService, SessionsService, type LiveSession } from '@heliograph/users';
import type { Request, Response } from 'express';

import { RateLimitedAs, RequireSession } from '../access/access.decorators';
import { ActiveSession } from '../access/caller';
import { refuseForeignLogin } from '../access/own-origin';
import { clearSessionCookie, readCookie, setSessionCookies } from '../access/session-cookie';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from '../account-api.config';
import { ApiData, ApiNoContent, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody } from '../http/json-body';
import { WorkspacesService } from '../workspaces/workspaces.service';
import {
  CurrentSession,
  LoggedIn,
  LoginRequest,
  OpenSessions,
  SessionRecord,
  SessionWorkspace,
  SwitchRequest,
  UserRecord,
} from './auth.dto';

@ApiTags('Authentication')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
    private readonly workspaces: WorkspacesService,
    @Inject(ACCOUNT_API_CONFIG) private readonly config: AccountApiConfig,
  ) {}

  @Post('login')
  @Public()
  @RateLimitedAs('auth')
  @ApiOperation({ operationId: 'login', summary: 'Log in; creates a session and sets its cookie' })
  @ApiJsonBody(LoginRequest)
  @ApiData(LoggedIn)
  @ApiErrors('AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED')
  async login(
    @JsonBody(LoginRequest) { email, password, code }: LoginRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoggedIn> {
    refuseForeignLogin(request, this.config.PUBLIC_ORIGINS);
    const opened = await this.logins.login({
      email,
      password,
      code,
      from: { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent'] ?? null },
      deviceToken: readCookie(request, 'device'),
      sessionToken: readCookie(request, 'session'),
    });
    setSessionCookies(request, response, opened);
    return { session: SessionRecord.of(opened.session) };
  }

  @Post('logout')
  @RequireSession()
  @RateLimitedAs('auth')
  @ApiOperation({ operationId: 'logout', summary: 'Log out; ends the session' })
  @ApiNoContent()
  async logout(
    @ActiveSession() session: LiveSession,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.revoke(session.userId, session.id);
    clearSessionCookie(request, response);
  }

  @Get('session')
  @RequireSession()
  @RateLimitedAs('auth')
  @ApiOperation({ operationId: 'getSession', summary: 'Get the current session and its user' })
  @ApiData(CurrentSession)
  async session(@ActiveSession() session: LiveSession): Promise<CurrentSession> {
    const workspace = await this.workspaces.currentOf(session);
    return {
      user: UserRecord.of(session.user),
      session: SessionRecord.of(session),
      workspace: workspace && SessionWorkspace.of(workspace),
    };
  }

  @Patch('session')
  @RequireSession()
  @ApiOperation({ operationId: 'switchWorkspace', summary: 'Switch the session to another workspace or organization' })
  @ApiJsonBody(SwitchRequest)
  @ApiData(CurrentSession)
  @ApiErrors('NOT_FOUND')
  async switchWorkspace(
    @ActiveSession() session: LiveSession,
    @JsonBody(SwitchRequest) body: SwitchRequest,
  ): Promise<CurrentSession> {
    const { organizationId, workspace } = await this.workspaces.destinationOf(session.userId, body);
    await this.sessions.switchTo(session.id, organizationId, workspace?.id ?? null);
    return {
      user: UserRecord.of(session.user),
      session: SessionRecord.of(session),
      workspace: workspace && SessionWorkspace.of(workspace),
    };
  }

  @Get('sessions')
  @RequireSession()
  @ApiOperation({ operationId: 'listSessions', summary: 'List the sessions of the user' })
  @ApiData(OpenSessions)
  async list(@ActiveSession() session: LiveSession): Promise<OpenSessions> {
    const sessions = await this.sessions.list(session.userId);
    return {
      sessions: sessions.map((work) => ({
        ...SessionRecord.of(work),
        current: work.id === session.id,
        ipAddress: work.ipAddress,
        userAgent: work.userAgent,
        createdAt: work.createdAt.toISOString(),
      })),
    };
  }

  @Delete('sessions/:sessionId')
  @RequireSession()
  @ApiOperation({ operationId: 'endSession', summary: 'End another session of the user' })
  @ApiNoContent()
  @ApiErrors('NOT_FOUND')
  async end(@ActiveSession() session: LiveSession, @Param('sessionId') id: string): Promise<void> {
    if (await this.sessions.revoke(session.userId, id)) return;
    throw new AppError('NOT_FOUND', 'Session not found. List the sessions to get valid ids.');
  }
}
