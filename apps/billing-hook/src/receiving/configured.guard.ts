import { Injectable, type CanActivate } from '@nestjs/common';
import { ReceiveService } from './receive.service';

/** Refuses an event before its body is read: BILLING_NOT_CONFIGURED. */
@Injectable()
export class ConfiguredGuard implements CanActivate {
  constructor(private readonly events: ReceiveService) {}

  canActivate(): true {
    this.events.assertConfigured();
    return true;
  }
}
