import {
  applyDecorators,
  CanActivate,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ROLES, type Role, type Scope } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import type { RouteFacts } from '@heliograph/api-reference';
import {
  ACCESS,
  KeyThrottlerGuard,
  V1_PREFIX,
  type IdentifiedRequest,
  type ReadMetadata,
  type ServiceConfig,
} from '@heliograph/service-kit';
import { isAccessToken } from '@heliograph/users';
import { isWrite, refuseForeignOrigin } from './browser/own-origin';
import { readCookie } from './browser/session-cookie';
import { isAllowed } from './ip-allowlist';
import { KeyDirectory } from './key-directory';
import { readKey } from './key-format';
import { assertModeOfKey, readMode } from './mode';
import { KeyUses } from './key-uses';
import { assertRole, assertScope, callerIdOf, type Principal, type Tenant } from './principal';
import { UserDirectory } from './user-directory';

type Access = 'public' | 'key' | Scope;

const ROLE_ACCESS = 'heliograph:role';

/** Requires a key with this scope, or an unrestricted key. With `role`, the role of the key may do at least what this role may do. */
export const RequireScope = (scope: Scope, role?: Role): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata<string, Access>(ACCESS, scope), ...(role ? [SetMetadata(ROLE_ACCESS, role)] : []));
/** Requires any key of an organization. */
export const RequireKey = () => SetMetadata<string, Access>(ACCESS, 'key');

/** What the key guard and the rate limit enforce for a route, for the OpenAPI document. */
export function keyRouteFacts(
  read: ReadMetadata,
  config: Pick<ServiceConfig, 'MESSAGING_RATE_PER_MINUTE'>,
): RouteFacts {
  const access = read<Access>(ACCESS);
  if (access === undefined || access === 'public') return {};
  const role = read<Role>(ROLE_ACCESS);
  return {
    access: {
      ...(access === 'key' ? {} : { scope: access }),
      ...(role === undefined ? {} : { roles: ROLES.slice(0, ROLES.indexOf(role) + 1) }),
    },
    rates: [{ calls: config.MESSAGING_RATE_PER_MINUTE, seconds: 60, per: 'API key or user' }],
  };
}

/** The principal of the authenticated key. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Tenant => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!principal?.organizationId) throw new AppError('UNAUTHENTICATED', 'Send an API key.');
  return principal as Tenant;
});

export interface AuthenticatedRequest extends IdentifiedRequest {
  principal?: Principal & Pick<Tenant, 'clientAddress'>;
}

/**
 * Checks the key (401), the address (403), and then organization and scope (403). Routes without an access decorator
 * are denied.
 */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyDirectory,
    private readonly users: UserDirectory,
    private readonly uses: KeyUses,
    private readonly moduleRef: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = await this.principalOf(request);
    if (!principal) {
      throw new AppError(
        'UNAUTHENTICATED',
        'The API key is missing, unknown, expired or revoked. Send a valid key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
        { headers: { 'WWW-Authenticate': 'Bearer' } },
      );
    }
    if (principal.organizationId !== null) request.organizationId = principal.organizationId;
    if (principal.workspaceId !== null) request.workspaceId = principal.workspaceId;
    if (principal.keyId !== null) request.keyId = principal.keyId;
    if (!isAllowed(principal.allowedAddresses, request.ip)) {
      // Not counted: somebody with a stolen key must not use up the limit of its owner.
      throw new AppError(
        'IP_NOT_ALLOWED',
        'The IP address of this request is not on the allow-list of the organization. Add it, or call from an allowed address.',
      );
    }
    request.principal = { ...principal, clientAddress: request.ip ?? null };
    request.callerId = callerIdOf(principal);
    try {
      this.authorize(principal, access, context);
    } catch (error) {
      // Refused calls count as well, and their responses contain the limit.
      await this.moduleRef.get(KeyThrottlerGuard, { strict: false }).canActivate(context);
      throw error;
    }
    if (principal.keyId !== null) this.uses.note(principal.keyId);
    return true;
  }

  /** Throws FORBIDDEN. */
  private authorize(
    principal: Principal,
    access: Exclude<Access, 'public'> | undefined,
    context: ExecutionContext,
  ): void {
    if (principal.organizationId === null) {
      throw new AppError(
        'FORBIDDEN',
        principal.keyId === null
          ? 'You do not belong to an organization. Ask for an invitation.'
          : 'The API key does not belong to an organization. Use an organization API key.',
      );
    }
    if (access === undefined) throw new AppError('FORBIDDEN', 'This endpoint is not accessible.');
    const role = this.reflector.getAllAndOverride<Role | undefined>(ROLE_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (role !== undefined) assertRole(principal, role);
    if (access !== 'key') assertScope(principal, access);
  }

  /** Access tokens are for the v1 API only. A session cookie counts only without another credential. */
  private async principalOf(request: AuthenticatedRequest): Promise<Principal | null> {
    const { headers, path } = request;
    if (headers.authorization === undefined && headers['x-api-key'] === undefined) return this.userOfCookie(request);
    const credential = readKey(headers);
    if (credential === null) return null;
    if (isAccessToken(credential)) {
      return path.startsWith(V1_PREFIX) ? this.users.find('token', credential, readMode(headers) ?? 'live') : null;
    }
    const principal = await this.keys.find(credential);
    if (principal) assertModeOfKey(headers, principal.organizationId);
    return principal;
  }

  /** The user of a page of this site. Throws FORBIDDEN for a write that another site caused. */
  private async userOfCookie(request: AuthenticatedRequest): Promise<Principal | null> {
    const token = readCookie(request, 'session');
    if (token === undefined) return null;
    const principal = await this.users.find('cookie', token, readMode(request.headers) ?? 'live');
    if (principal && isWrite(request)) refuseForeignOrigin(request, undefined);
    return principal;
  }
}
