import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { CatalogService, type Onboarding, type OnboardingStatus, type Rate } from '@heliograph/sms-catalog';
import type { Changed } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import { OnboardingRecord } from '../sms/sms.dto';
import { RateRecord, type OperatorOnboarding } from './platform.dto';

/** What the platform operator decides about SMS: who may send where, and what a segment costs. */
@Injectable()
export class ReviewsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CatalogService) private readonly catalog: CatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  onboardingsAcrossTenants(page: Page, status: OnboardingStatus | undefined): Promise<PageOf<Onboarding>> {
    return this.catalog.listOnboardingsAcrossTenants(this.dataSource.manager, page, status ? { status } : {});
  }

  approve(call: WriteCall, id: string, changes: { dltEntityId?: string }): Promise<OperatorOnboarding> {
    return this.writes.run(call, async (open) =>
      note(open, 'approved', await this.catalog.approveOnboardingAcrossTenants(open.transaction, id, changes)),
    );
  }

  reject(call: WriteCall, id: string, reason: string): Promise<OperatorOnboarding> {
    return this.writes.run(call, async (open) =>
      note(open, 'rejected', await this.catalog.rejectOnboardingAcrossTenants(open.transaction, id, reason)),
    );
  }

  rates(): Promise<Rate[]> {
    return this.catalog.listRates(this.dataSource.manager);
  }

  /** Throws VALIDATION_ERROR for what is no country. */
  putRate(call: WriteCall, country: string, rate: number): Promise<RateRecord> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const before = (await this.catalog.listRates(transaction)).find((known) => known.country === country);
      await this.catalog.putRate(country, rate, transaction);
      await record({
        organizationId: null,
        action: 'sms.rate.changed',
        target: { type: 'sms.rate', id: country },
        before: before ? RateRecord.of(before) : null,
        after: { country, rate },
      });
      return { country, rate };
    });
  }
}

export function operatorOnboarding(onboarding: Onboarding): OperatorOnboarding {
  return { ...OnboardingRecord.of(onboarding), organizationId: onboarding.organizationId };
}

async function note(
  { record }: OpenWrite,
  done: string,
  { before, after }: Changed<Onboarding>,
): Promise<OperatorOnboarding> {
  await record({
    organizationId: after.organizationId,
    action: `sms.onboarding.${done}`,
    target: { type: 'sms.onboarding', id: after.id },
    before: OnboardingRecord.of(before),
    after: OnboardingRecord.of(after),
  });
  return operatorOnboarding(after);
}
