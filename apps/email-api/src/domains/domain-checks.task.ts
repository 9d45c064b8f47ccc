import { Injectable } from '@nestjs/common';
import { DomainChecks } from '@heliograph/email-catalog';
import { Periodic } from '@heliograph/service-kit';

/** Runs the due DNS checks of domains. */
@Injectable()
export class DomainChecksTask {
  constructor(private readonly checks: DomainChecks) {}

  @Periodic({ everyMs: 60_000, role: 'worker' })
  async run(): Promise<void> {
    await this.checks.runDue();
  }
}
