import { Injectable, type CanActivate } from '@nestjs/common';
import { SendingSwitches } from './sending-switches';

/** Refuses a send before its body is validated: CHATAPP_DISABLED, then CHATAPP_NOT_CONFIGURED. */
@Injectable()
export class SendingGuard implements CanActivate {
  constructor(private readonly switches: SendingSwitches) {}

  async canActivate(): Promise<true> {
    await this.switches.assertSending();
    return true;
  }
}

/** Refuses a call that needs the provider before its body is validated: CHATAPP_NOT_CONFIGURED. */
@Injectable()
export class ProviderGuard implements CanActivate {
  constructor(private readonly switches: SendingSwitches) {}

  canActivate(): true {
    this.switches.assertConfigured();
    return true;
  }
}
