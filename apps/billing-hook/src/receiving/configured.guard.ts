import { Injectable, type CanActivate } from '@nestjs/common';
import { ReceiveService } from './receive.service';

/** Refuses all events if the service has no signing secret: BILLING_NOT_CONFIGURED. */
@Injectable()
export class ConfiguredGuard implements CanActivate {
  constructor(private readonly events: ReceiveService) {}

  canActivate(): true {
    this.events.assertConfigured();
    return true;
  }
}
