import { Body, Controller, Delete, Get, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdmittedByService, Public } from '@heliograph/service-kit';
import { LoginService, SessionsService, type LiveSession } from '@heliograph/users';
import { RateLimitedAs, RequireSession } from '../../access/access.decorators';
import { ActiveSession } from '../../access/caller';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { OwnOriginGuard } from '../../access/own-origin.guard';
import { PUBLIC_ERRORS } from '../../http/api-errors';
import { AccountOperation, ApiNoContent } from '../../http/envelope';
import { CurrentSession, LoggedIn, LoginRequest, OpenSessions, SwitchRequest } from './auth.dto';
import { CurrentSessionsService } from './current-sessions.service';

@ApiTags('Authentication')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
    private readonly currentSessions: CurrentSessionsService,
  ) {}

  @Post('login')
  @AdmittedByService()
  @Public()
  @UseGuards(OwnOriginGuard)
  @RateLimitedAs('auth')
  @AccountOperation({
    id: 'login',
    summary: 'Log in and create a session',
    description: 'Sets the cookie of the session.',
    response: LoggedIn,
    errors: ['AUTH_INVALID_CREDENTIALS', 'AUTH_MFA_REQUIRED', 'FORBIDDEN', ...PUBLIC_ERRORS],
    sample: { body: { email: 'owner@demo.example', password: 'correct horse battery staple' } },
  })
  async login(@Body() { email, password, code }: LoginRequest, @CurrentClient() client: HttpClient): Promise<LoggedIn> {
    const { attempt, sessionToken } = client;
    const opened = await this.logins.login({ email, password, code, ...attempt, sessionToken });
    client.setSession(opened);
    return LoggedIn.of(opened.session);
  }

  @Post('logout')
  @RequireSession({ evenUnverified: true })
  @RateLimitedAs('auth')
  @AccountOperation({
    id: 'logout',
    summary: 'Log out and end the session',
    description: 'Other sessions of the user continue.',
  })
  @ApiNoContent()
  async logout(@ActiveSession() session: LiveSession, @CurrentClient() client: HttpClient): Promise<void> {
    await this.sessions.revoke(session.userId, session.id);
    client.clearSession();
  }

  @Get('session')
  @RequireSession()
  @RateLimitedAs('auth')
  @AccountOperation({
    id: 'getSession',
    summary: 'Get the current session and its user',
    description: 'Returns the user, the workspace and the expiry of the session.',
    response: CurrentSession,
  })
  session(@ActiveSession() session: LiveSession): Promise<CurrentSession> {
    return this.currentSessions.get(session);
  }

  @Patch('session')
  @RequireSession()
  @AccountOperation({
    id: 'switchWorkspace',
    summary: 'Switch the session to another workspace or organization',

    description:
      'Changes the workspace that the calls of this session use by default. The user must be a member of its organization.',
    response: CurrentSession,
    errors: ['NOT_FOUND', 'EMAIL_NOT_VERIFIED'],
    sample: {
      body: { workspaceId: '01941f29-7c00-7000-8000-000000000001' },
      values: { workspaceId: { get: '/api/workspaces?limit=1' } },
    },
  })
  switchWorkspace(@ActiveSession() session: LiveSession, @Body() body: SwitchRequest): Promise<CurrentSession> {
    return this.currentSessions.switchTo(session, body);
  }

  @Get('sessions')
  @RequireSession()
  @AccountOperation({
    id: 'listSessions',
    summary: 'List the sessions of the user',
    description:
      'Returns every session of the user that has not expired, with its address and browser, so that unknown ones can be ended.',
    response: OpenSessions,
  })
  list(@ActiveSession() session: LiveSession): Promise<OpenSessions> {
    return this.currentSessions.list(session);
  }

  @Delete('sessions/:sessionId')
  @RequireSession()
  @ApiNoContent()
  @AccountOperation({
    id: 'endSession',
    summary: 'End another session of the user',

    description: 'The session cannot be used any more. Log out to end the current session.',
    errors: ['NOT_FOUND', 'EMAIL_NOT_VERIFIED'],
  })
  end(@ActiveSession() session: LiveSession, @Param('sessionId') id: string): Promise<void> {
    return this.currentSessions.end(session, id);
  }
}
