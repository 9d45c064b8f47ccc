import { CanActivate, createParamDecorator, ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import { ACCESS } from '@heliograph/platform';
import type { Request } from 'express';
import { isAllowed } from './ip-allowlist';
import { KeyDirectory } from './key-directory';
import { readKey } from './key-format';
import { KeyUses } from './key-uses';
import { isUnrestricted, type Principal, type Tenant } from './principal';

type Access = 'public' | 'key' | Scope;

/** A key with this scope, or an unrestricted one. */
export const RequireScope = (scope: Scope) => SetMetadata<string, Access>(ACCESS, scope);
/** Any key of an organization. */
export const RequireKey = () => SetMetadata<string, Access>(ACCESS, 'key');

/** The caller that the guard let through. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Tenant => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!principal?.organizationId) throw new AppError('UNAUTHENTICATED', 'Send an API key.');
  return principal as Tenant;
});

export interface AuthenticatedRequest extends Request {
  principal?: Principal;
}

/** 401 for the key, then 403 for the address, then 403 for organization and scope. What has no mark is closed. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(KeyDirectory) private readonly keys: KeyDirectory,
    @Inject(KeyUses) private readonly uses: KeyUses,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = readKey(request.headers);
    const principal = key === null ? null : await this.keys.find(key);
    if (!principal) {
      throw new AppError(
        'UNAUTHENTICATED',
        'Send a valid API key as "Authorization: Bearer <key>" or "X-API-Key: <key>"; this one is missing, unknown, expired or revoked.',
        { headers: { 'WWW-Authenticate': 'Bearer' } },
      );
    }
    if (!isAllowed(principal.allowedAddresses, request.ip)) {
      throw new AppError(
        'IP_NOT_ALLOWED',
        'This address is not on the allow-list of the organization. Add it, or call from one that is.',
      );
    }
    if (principal.organizationId === null) {
      throw new AppError('FORBIDDEN', 'This key belongs to no organization. Use a key made in one.');
    }
    if (access === undefined) throw new AppError('FORBIDDEN', 'Nobody may call this.');
    if (access !== 'key' && !isUnrestricted(principal) && !principal.scopes.has(access)) {
      throw new AppError('FORBIDDEN', `This key lacks the scope ${access}. Use a key that has it.`);
    }
    request.principal = principal;
    this.uses.note(principal.keyId);
    return true;
  }
}
