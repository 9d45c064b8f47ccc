import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';

/** Throws FORBIDDEN for the key of a viewer, regardless of its scopes. */
@Injectable()
export class SenderRoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.role !== 'viewer') return true;
    throw new AppError(
      'FORBIDDEN',
      'A key with the role viewer cannot send. Use a key with the role member, admin or owner.',
    );
  }
}
