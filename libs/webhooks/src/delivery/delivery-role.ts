import { Inject, Injectable } from '@nestjs/common';
import { ROLE, type Role } from '@heliograph/service-kit';

/** Whether this process delivers webhooks. */
@Injectable()
export class DeliveryRole {
  readonly delivers: boolean;

  constructor(@Inject(ROLE) role: Role) {
    this.delivers = role === 'all' || role === 'webhooks';
  }
}
