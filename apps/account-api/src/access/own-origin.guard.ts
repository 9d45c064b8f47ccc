import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { refuseForeignLogin } from '@heliograph/auth';
import type { Request } from 'express';
import { CONFIG } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../account-api.config';

/** CSRF protection of routes that log in and do not require a session. */
@Injectable()
export class OwnOriginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: AccountApiConfig) {}

  canActivate(context: ExecutionContext): boolean {
    refuseForeignLogin(context.switchToHttp().getRequest<Request>(), this.config.PUBLIC_ORIGINS);
    return true;
  }
}
