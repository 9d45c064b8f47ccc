import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import type { Request } from 'express';
import { refuseForeignLogin } from '../../access/own-origin';
import type { AccountApiConfig } from '../../account-api.config';
import { publicBaseUrl } from '../mails/links';

/** CSRF protection of the forms: they are sent from pages below PUBLIC_BASE_URL, which need not be one of PUBLIC_ORIGINS. */
@Injectable()
export class ConsoleOriginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: AccountApiConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.headers.origin === new URL(publicBaseUrl(this.config)).origin) return true;
    refuseForeignLogin(request, this.config.PUBLIC_ORIGINS);
    return true;
  }
}
