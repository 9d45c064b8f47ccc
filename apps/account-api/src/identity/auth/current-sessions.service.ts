import { Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { SessionsService, type LiveSession } from '@heliograph/users';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { CurrentSession, OpenSession, type OpenSessions, type SwitchRequest } from './auth.dto';

/** The sessions of the authenticated user. */
@Injectable()
export class CurrentSessionsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly workspaces: WorkspacesService,
  ) {}

  async get(session: LiveSession): Promise<CurrentSession> {
    return CurrentSession.of(session, await this.workspaces.currentOf(session));
  }

  /** Throws NOT_FOUND, VALIDATION_ERROR. */
  async switchTo(session: LiveSession, destination: SwitchRequest): Promise<CurrentSession> {
    const { organizationId, workspace } = await this.workspaces.destinationOf(session.userId, destination);
    await this.sessions.switchTo(session.id, organizationId, workspace?.id ?? null);
    return CurrentSession.of(session, workspace);
  }

  async list({ id, userId }: LiveSession): Promise<OpenSessions> {
    const sessions = await this.sessions.list(userId);
    return { sessions: sessions.map((session) => OpenSession.of(session, id)) };
  }

  /** Throws NOT_FOUND. */
  async end({ userId }: LiveSession, id: string): Promise<void> {
    if (await this.sessions.revoke(userId, id)) return;
    throw new AppError('NOT_FOUND', 'Session not found. List the sessions to get valid ids.');
  }
}
