import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from '@heliograph/auth';
import { SendingSwitches } from './sending-switches';

/** Refuses a send before its body is validated: CHATAPP_DISABLED, then CHATAPP_NOT_CONFIGURED. */
@Injectable()
export class SendingGuard implements CanActivate {
  constructor(private readonly switches: SendingSwitches) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    await this.switches.assertSending(organizationOf(context));
    return true;
  }
}

/** Refuses a call that needs the provider before its body is validated: CHATAPP_NOT_CONFIGURED. */
@Injectable()
export class ProviderGuard implements CanActivate {
  constructor(private readonly switches: SendingSwitches) {}

  canActivate(context: ExecutionContext): true {
    this.switches.assertConfigured(organizationOf(context));
    return true;
  }
}

/** The organization of the caller, whom the guard of the service has authenticated before. */
function organizationOf(context: ExecutionContext): string {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return principal?.organizationId ?? '';
}
