import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Purchase } from '@heliograph/billing';
import { Periodic } from '@heliograph/service-kit';
import { LessThan, Repository } from 'typeorm';

const EVERY_MS = 10 * 60_000;
/** The processor reports the expiry of a checkout itself, usually within minutes. */
const GRACE_MS = 60 * 60_000;

/**
 * Expires purchases whose checkout was never created because the process crashed, so that no event is about them, and those
 * whose expiry was not reported. A payment that is reported later wins.
 */
@Injectable()
export class PurchaseExpiry {
  constructor(@InjectRepository(Purchase) private readonly purchases: Repository<Purchase>) {}

  @Periodic({ everyMs: EVERY_MS, role: 'worker' })
  async expire(): Promise<void> {
    const overdue = { status: 'pending' as const, expiresAt: LessThan(new Date(Date.now() - GRACE_MS)) };
    await this.purchases.update(overdue, { status: 'expired' });
  }
}
