import { Controller, Delete, Get, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { Public } from '@heliograph/platform';
import { LoginService, SessionsService, type LiveSession } from '@heliograph/users';
import type { Request, Response } from 'express';

import { CountedAs, RequireSession } from '../access/access.decorators';
import { OfSession } from '../access/caller';
import { refuseForeignLogin } from '../access/own-origin';
import { clearSessionCookie, readCookie, setSessionCookies } from '../access/session-cookie';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { Answers, AnswersNothing, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody } from '../http/json-body';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/auth')
export class AuthController {
  constructor(
    @Inject(LoginService) private readonly logins: LoginService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(WorkspacesService) private readonly workspaces: WorkspacesService,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  @Post('login')
  @Public()
  @CountedAs('auth')
  @ApiOperation({ operationId: 'login', summary: 'Opens a session and sets its cookie' })
  @TakesBody(LoginRequest)
  @Answers(LoggedIn)
  @RefusesWith('AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED')
  async login(
    @JsonBody(LoginRequest) { email, password, code }: LoginRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoggedIn> {
    refuseForeignLogin(request, this.settings.PUBLIC_ORIGINS);
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
  @CountedAs('auth')
  @ApiOperation({ operationId: 'logout', summary: 'Ends the session' })
  @AnswersNothing()
  async logout(
    @OfSession() session: LiveSession,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.revoke(session.userId, session.id);
    clearSessionCookie(request, response);
  }

  @Get('session')
  @RequireSession()
  @CountedAs('auth')
  @ApiOperation({ operationId: 'getSession', summary: 'Who is logged in, and where' })
  @Answers(CurrentSession)
  async session(@OfSession() session: LiveSession): Promise<CurrentSession> {
    const workspace = await this.workspaces.currentOf(session);
    return {
      user: UserRecord.of(session.user),
      session: SessionRecord.of(session),
      workspace: workspace && SessionWorkspace.of(workspace),
    };
  }

  @Patch('session')
  @RequireSession()
  @ApiOperation({ operationId: 'switchWorkspace', summary: 'Works in another workspace or organization from now on' })
  @TakesBody(SwitchRequest)
  @Answers(CurrentSession)
  @RefusesWith('NOT_FOUND')
  async switchWorkspace(
    @OfSession() session: LiveSession,
    @JsonBody(SwitchRequest) asked: SwitchRequest,
  ): Promise<CurrentSession> {
    const { organizationId, workspace } = await this.workspaces.destinationOf(session.userId, asked);
    await this.sessions.switchTo(session.id, organizationId, workspace?.id ?? null);
    return {
      user: UserRecord.of(session.user),
      session: SessionRecord.of(session),
      workspace: workspace && SessionWorkspace.of(workspace),
    };
  }

  @Get('sessions')
  @RequireSession()
  @ApiOperation({ operationId: 'listSessions', summary: 'Where the user is logged in' })
  @Answers(OpenSessions)
  async list(@OfSession() session: LiveSession): Promise<OpenSessions> {
    const sessions = await this.sessions.list(session.userId);
    return {
      sessions: sessions.map((open) => ({
        ...SessionRecord.of(open),
        current: open.id === session.id,
        ipAddress: open.ipAddress,
        userAgent: open.userAgent,
        createdAt: open.createdAt.toISOString(),
      })),
    };
  }

  @Delete('sessions/:sessionId')
  @RequireSession()
  @ApiOperation({ operationId: 'endSession', summary: 'Logs the user out somewhere else' })
  @AnswersNothing()
  @RefusesWith('NOT_FOUND')
  async end(@OfSession() session: LiveSession, @Param('sessionId') id: string): Promise<void> {
    if (await this.sessions.revoke(session.userId, id)) return;
    throw new AppError('NOT_FOUND', 'There is no such session.');
  }
}
