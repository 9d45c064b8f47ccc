import { Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { CatalogService, type Onboarding, type OnboardingStatus, type Rate } from '@heliograph/sms-catalog';
import type { Changed } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { OnboardingRecord } from '../sms/sms.dto';
import { RateRecord, type OperatorOnboarding } from './platform.dto';

/** Decisions of the operator about SMS: onboardings and credit rates. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onboardingsAcrossTenants(page: Page, status: OnboardingStatus | undefined): Promise<PageOf<Onboarding>> {
    return this.catalog.listOnboardingsAcrossTenants(this.dataSource.manager, page, status ? { status } : {});
  }

  approve(write: WriteRequest, id: string, changes: { dltEntityId?: string }): Promise<OperatorOnboarding> {
    return this.unitOfWork.run(write, async (work) =>
      auditChange(work, 'approved', await this.catalog.approveOnboardingAcrossTenants(work.transaction, id, changes)),
    );
  }

  reject(write: WriteRequest, id: string, reason: string): Promise<OperatorOnboarding> {
    return this.unitOfWork.run(write, async (work) =>
      auditChange(work, 'rejected', await this.catalog.rejectOnboardingAcrossTenants(work.transaction, id, reason)),
    );
  }

  rates(): Promise<Rate[]> {
    return this.catalog.listRates(this.dataSource.manager);
  }

  /** Throws VALIDATION_ERROR for an unknown country. */
  putRate(write: WriteRequest, country: string, rate: number): Promise<RateRecord> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const before = (await this.catalog.listRates(transaction)).find((known) => known.country === country);
      await this.catalog.putRate(country, rate, transaction);
      await audit({
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

async function auditChange(
  { audit }: UnitOfWorkContext,
  done: string,
  { before, after }: Changed<Onboarding>,
): Promise<OperatorOnboarding> {
  await audit({
    organizationId: after.organizationId,
    action: `sms.onboarding.${done}`,
    target: { type: 'sms.onboarding', id: after.id },
    before: OnboardingRecord.of(before),
    after: OnboardingRecord.of(after),
  });
  return operatorOnboarding(after);
}
