import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { InjectRepository } from '@nestjs/typeorm';
import {
  assertModeOfKey,
  isWrite,
  type KeyPrincipal,
  type Mode,
  modeOf,
  readMode,
  refuseForeignOrigin,
} from '@heliograph/auth';
import { actorOf, Workspace } from '@heliograph/tenancy';
import type { Role } from '@heliograph/contracts';
import { isId, testIdOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { hashToken } from '@heliograph/secrets';
import { ACCESS, Admission, CONFIG, networkOf } from '@heliograph/service-kit';
import { MembersService } from '@heliograph/users';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import type { AccountApiConfig } from '../account-api.config';
import { LIMIT, type Limit, type RouteAccess } from './access.decorators';
import { Authenticator, type Credential } from './authenticator';
import type { Access, AccessRequest, Caller } from './caller';
import { TestOrganizations } from '../test-mode/test-organizations.service';
import { assertMode, assertPermission, assertVerified, isReadPermission, workspaceLocked } from './permissions';
import { RateLimits } from './rate-limits';

/** Caller id of the operator, who has no user id. */
const OPERATOR_ID = '00000000-0000-0000-0000-000000000000';

const MAX_CREDENTIALS = 10_000;

type Known = Exclude<Credential, { kind: 'none' }>;

/** Rate-limits, authenticates and authorizes each request. Routes without an access decorator are denied. */
@Injectable()
export class AccessGuard implements CanActivate {
  /** The organization of the last call with a credential, whose lane the look-ups of its next call share. */
  private readonly organizations = new LRUCache<string, string>({ max: MAX_CREDENTIALS });

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limits: RateLimits,
    private readonly members: MembersService,
    private readonly testOrganizations: TestOrganizations,
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, route);
    const limit = this.reflector.getAllAndOverride<Limit | undefined>(LIMIT, route);
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    // Responses depend on the credential, so shared caches must not store them.
    response.setHeader('Cache-Control', 'no-store');
    if (limit) await this.limits.count(limit, networkOf(request.ip), response);
    if (access === 'public') return true;
    const credential = credentialKeyOf(request);
    request.access = await this.admission.run('access', this.organizations.get(credential) ?? credential, () =>
      this.admit(access ?? { kind: 'caller' }, limit, request, response),
    );
    const { caller, workspace } = request.access;
    const { organizationId } = caller ?? {};
    if (workspace) request.workspaceId = workspace.id;
    if (organizationId !== undefined) {
      request.organizationId = organizationId;
      this.organizations.set(credential, organizationId);
    }
    request.callerId = caller?.actor.id ?? request.access.session?.userId ?? OPERATOR_ID;
    return true;
  }

  private async admit(
    access: Exclude<RouteAccess, 'public'>,
    limit: Limit | undefined,
    request: AccessRequest,
    response: Response,
  ): Promise<Access> {
    if (access.kind === 'operator') {
      await this.limits.count('account', `operator ${networkOf(request.ip)}`, response);
      this.authenticator.admitOperator(request);
      return { operator: actorOf({ kind: 'operator', id: null, name: 'platform operator' }, request, response) };
    }
    const credential =
      access.kind === 'session'
        ? await this.authenticator.sessionOf(request)
        : await this.authenticator.credentialOf(request);
    if (credential.kind === 'key') identify(request, credential.key);
    if (!limit) await this.limits.count(limitOf(access), tracker(limitOf(access), credential, request), response);
    if (credential.kind === 'none') throw credential.refusal;
    if (credential.kind === 'key') {
      this.authenticator.admitKey(credential.key, request);
      assertModeOfKey(request.headers, credential.key.organizationId);
    } else if (credential.isCookie && isWrite(request)) refuseForeignOrigin(request, this.config.PUBLIC_ORIGINS);
    if (changesData(access, request)) assertVerified(userOf(credential));

    switch (access.kind) {
      case 'session':
      case 'caller': {
        const organizationId = await this.organizationOf(credential);
        const caller = organizationId ? await this.callerIn(organizationId, credential, request, response) : null;
        return { ...sessionOf(credential), ...(caller ? { caller } : {}) };
      }
      case 'organization': {
        if (!access.boundKeys) refuseBoundKey(credential);
        const organizationId = await this.organizationOf(credential);
        const caller = organizationId ? await this.callerIn(organizationId, credential, request, response) : null;
        if (!caller) throw new AppError('FORBIDDEN', 'You do not belong to an organization. Ask for an invitation.');
        assertMode(modeOf(caller.organizationId), access.permission);
        assertPermission(caller.role, access.permission);
        if (isWrite(request) && !access.evenWhenLocked) await this.refuseLocked(caller);
        return { ...sessionOf(credential), caller };
      }
      case 'workspace': {
        const { workspace, caller } = await this.workspaceOf(credential, request, response);
        assertMode(modeOf(caller.organizationId), access.permission);
        assertPermission(caller.role, access.permission);
        if (isWrite(request) && !access.evenWhenLocked && workspace.status === 'locked') throw workspaceLocked();
        return { ...sessionOf(credential), caller, workspace };
      }
    }
  }

  /** The live organization of the session: the current one, or the one that the user joined first if the membership has ended. */
  private async organizationOf(credential: Known): Promise<string | null> {
    if (credential.kind === 'key') return credential.key.organizationId;
    const { session } = credential;
    const memberships = await this.members.membershipsOf(session.userId);
    const current = memberships.find(({ organizationId }) => organizationId === session.organizationId);
    return (current ?? memberships[0])?.organizationId ?? null;
  }

  /**
   * The caller in the organization of a key. For a session, the caller in the live organization or, in test mode, in its test
   * twin. Null if the user is not a member of the live organization.
   */
  private async callerIn(
    organizationId: string,
    credential: Known,
    request: AccessRequest,
    response: Response,
  ): Promise<Caller | null> {
    if (credential.kind === 'key') {
      const { key } = credential;
      if (key.organizationId !== organizationId) return null;
      const actor = actorOf({ kind: 'key', id: key.keyId, name: key.name }, request, response);
      return { actor, organizationId, role: key.role, boundWorkspaceId: key.workspaceId };
    }
    const { user } = credential.session;
    const memberships = await this.members.membershipsOf(user.id);
    const role: Role | undefined = memberships.find((member) => member.organizationId === organizationId)?.role;
    if (role === undefined) return null;
    const actor = actorOf({ kind: 'user', id: user.id, name: user.email }, request, response);
    const isTest = sessionModeOf(request) === 'test';
    const id = isTest ? await this.testOrganizations.idOf(organizationId, actor) : organizationId;
    return { actor, organizationId: id, role, boundWorkspaceId: null };
  }

  /** A workspace of another organization is reported as not found. */
  private async workspaceOf(
    credential: Known,
    request: AccessRequest,
    response: Response,
  ): Promise<{ workspace: Workspace; caller: Caller }> {
    const id = request.params['id'];
    const workspace = isId(id) ? await this.workspaces.findOneBy({ id }) : null;
    const isReachable =
      credential.kind === 'session' || (credential.key.workspaceId ?? workspace?.id) === workspace?.id;
    const organizationId = workspace && isReachable ? await this.ownerOf(workspace, credential, request) : null;
    const caller = organizationId === null ? null : await this.callerIn(organizationId, credential, request, response);
    if (!workspace || !caller)
      throw new AppError(
        'NOT_FOUND',
        'Workspace not found. Check the workspace id. GET /api/workspaces lists the workspaces that you can access.',
      );
    return { workspace, caller };
  }

  /** The organization of a workspace; for a session in test mode, the live organization whose twin has it. */
  private async ownerOf(workspace: Workspace, credential: Known, request: AccessRequest): Promise<string | null> {
    if (credential.kind === 'key' || sessionModeOf(request) === 'live') return workspace.organizationId;
    const memberships = await this.members.membershipsOf(credential.session.userId);
    return (
      memberships.find((member) => testIdOf(member.organizationId) === workspace.organizationId)?.organizationId ?? null
    );
  }

  /** Throws FORBIDDEN if the workspace of a bound key, or otherwise every workspace of the organization, is locked. */
  private async refuseLocked({ organizationId, boundWorkspaceId }: Caller): Promise<void> {
    const workspaces = await this.workspaces.findBy(
      boundWorkspaceId === null ? { organizationId } : { id: boundWorkspaceId },
    );
    if (workspaces.length > 0 && workspaces.every(({ status }) => status === 'locked')) throw workspaceLocked();
  }
}

/** For the log, also of a call that is refused. */
function identify(request: AccessRequest, { keyId, organizationId, workspaceId }: KeyPrincipal): void {
  request.keyId = keyId;
  if (organizationId !== null) request.organizationId = organizationId;
  if (workspaceId !== null) request.workspaceId = workspaceId;
}

/** Identifies the credential without a look-up; the network for a call without one. */
function credentialKeyOf({ headers, ip }: AccessRequest): string {
  const { authorization, cookie } = headers;
  const credential = authorization ?? headers['x-api-key'] ?? cookie;
  return credential === undefined ? networkOf(ip) : hashToken(String(credential)).toString('base64');
}

/** A POST that requires the permission to read calculates its response, such as a quote or a preview. */
function changesData(access: Exclude<RouteAccess, 'public' | { kind: 'operator' }>, request: AccessRequest): boolean {
  if (!isWrite(request)) return false;
  if (access.kind === 'session') return !access.evenUnverified;
  return !('permission' in access && request.method === 'POST' && isReadPermission(access.permission));
}

/** The limit of a route without one of its own. */
export function limitOf(access: Exclude<RouteAccess, 'public'>): Limit {
  return 'isV1' in access && access.isV1 ? 'v1' : 'account';
}

/** Returns the subject of the rate limit. The v1 API limits users instead of sessions. */
function tracker(limit: Limit, credential: Credential, request: AccessRequest): string {
  if (credential.kind === 'key') return `key ${credential.key.keyId}`;
  if (credential.kind === 'none') return `address ${networkOf(request.ip)}`;
  const { id, userId } = credential.session;
  return limit === 'v1' ? `user ${userId}` : `session ${id}`;
}

function sessionOf(credential: Known): Pick<Access, 'session'> {
  return credential.kind === 'session' ? { session: credential.session } : {};
}

/** Throws INVALID_REQUEST. */
function sessionModeOf({ headers }: AccessRequest): Mode {
  return readMode(headers) ?? 'live';
}

function userOf(credential: Known) {
  return credential.kind === 'session' ? credential.session.user : undefined;
}

function refuseBoundKey(credential: Known): void {
  if (credential.kind === 'session' || credential.key.workspaceId === null) return;
  throw new AppError('FORBIDDEN', 'This API key is bound to one workspace. Use an unbound API key.');
}
