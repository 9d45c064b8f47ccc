import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { DomainKeys } from '@heliograph/email-catalog';
import { Health, HealthProblem, METRICS, Periodic } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';

const CHECK_MS = 15_000;

/**
 * Reports DKIM keys that this process cannot decrypt, in the readiness and in a metric. The check is not critical: the
 * other domains can send, and sends of the affected domains are rejected before they are charged.
 */
@Injectable()
export class DomainKeysTask implements OnModuleInit {
  private unreadable = 0;
  private readonly gauge: Gauge;

  constructor(
    private readonly keys: DomainKeys,
    private readonly health: Health,
    @Inject(METRICS) registry: Registry,
  ) {
    this.gauge = new Gauge({
      name: 'email_unreadable_dkim_keys',
      help: 'Stored DKIM keys that EMAIL_SECRETS_KEYS cannot decrypt',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    this.health.register('dkim keys', false, () => {
      if (this.unreadable > 0) {
        throw new HealthProblem(`EMAIL_SECRETS_KEYS cannot decrypt the DKIM keys of ${this.unreadable} domain(s)`);
      }
    });
  }

  @Periodic({ everyMs: CHECK_MS, atStart: true })
  async check(): Promise<void> {
    this.unreadable = await this.keys.countUnreadableAcrossTenants();
    this.gauge.set(this.unreadable);
  }
}
