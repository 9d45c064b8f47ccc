import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { CatalogService, type Rate } from '@heliograph/sms-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { OnboardingQuery } from '../channels/sms/sms.dto';
import { SMS_ONBOARDING } from '../channels/sms/onboardings.service';
import {
  OneOperatorOnboarding,
  OneRate,
  OperatorOnboardingList,
  RateRecord,
  type ApproveRequest,
  type Rates,
} from './operator.dto';

const REVIEW = { kind: SMS_ONBOARDING, answer: OneOperatorOnboarding.of };
const RATE_CHANGED = {
  kind: new AuditedKind<Rate>('sms.rate', ({ country: id }) => ({ id, organizationId: null }), RateRecord.of),
  done: 'changed',
  answer: OneRate.of,
};

/** Reviews of SMS onboardings and credit rates by the operator. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async onboardingsAcrossTenants(query: OnboardingQuery): Promise<OperatorOnboardingList> {
    const filter = given({ status: query.status });
    return OperatorOnboardingList.of(
      await this.catalog.listOnboardingsAcrossTenants(this.dataSource.manager, pageOf(query), filter),
    );
  }

  approve(write: Write, id: string, changes: ApproveRequest): Promise<OneOperatorOnboarding> {
    return this.unitOfWork.change(write, { ...REVIEW, done: 'approved' }, (transaction) =>
      this.catalog.approveOnboardingAcrossTenants(transaction, id, changes),
    );
  }

  reject(write: Write, id: string, reason: string): Promise<OneOperatorOnboarding> {
    return this.unitOfWork.change(write, { ...REVIEW, done: 'rejected' }, (transaction) =>
      this.catalog.rejectOnboardingAcrossTenants(transaction, id, reason),
    );
  }

  async rates(): Promise<Rates> {
    const rates = await this.catalog.listRates(this.dataSource.manager);
    return { rates: rates.map((rate) => RateRecord.of(rate)) };
  }

  /** Throws VALIDATION_ERROR for an unknown country. */
  putRate(write: Write, country: string, rate: number): Promise<OneRate> {
    return this.unitOfWork.change(write, RATE_CHANGED, async (transaction) => {
      const before = (await this.catalog.listRates(transaction)).find((known) => known.country === country);
      await this.catalog.putRate(transaction, country, rate);
      return { ...given({ before }), after: { country, rate } };
    });
  }
}
