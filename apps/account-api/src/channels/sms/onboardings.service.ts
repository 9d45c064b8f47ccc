import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { CatalogService, type Onboarding } from '@heliograph/sms-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import {
  OnboardingList,
  OnboardingRecord,
  OneOnboarding,
  type ChangeOnboardingRequest,
  type CreateOnboardingRequest,
  type OnboardingQuery,
} from './sms.dto';

export const SMS_ONBOARDING = new AuditedKind<Onboarding>('sms.onboarding', targetOf, OnboardingRecord.of);
const ONBOARDING = { kind: SMS_ONBOARDING, answer: OneOnboarding.of };

/** Manages the SMS onboardings of an organization; each write is audited. */
@Injectable()
export class OnboardingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: OnboardingQuery): Promise<OnboardingList> {
    const filter = given({ status: query.status });
    return OnboardingList.of(
      await this.catalog.listOnboardings(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  async get({ organizationId }: Caller, id: string): Promise<OneOnboarding> {
    return OneOnboarding.of(await this.catalog.onboardingOf(this.dataSource.manager, organizationId, id));
  }

  create(write: Write, { organizationId }: Caller, details: CreateOnboardingRequest): Promise<OneOnboarding> {
    const creates = { organizationId, kind: LIMITED.smsOnboardings };
    return this.unitOfWork.change(write, { ...ONBOARDING, done: 'submitted', creates }, async (transaction) => ({
      after: await this.catalog.createOnboarding(transaction, organizationId, details),
    }));
  }

  update(
    write: Write,
    { organizationId }: Caller,
    id: string,
    details: ChangeOnboardingRequest,
  ): Promise<OneOnboarding> {
    return this.unitOfWork.change(write, { ...ONBOARDING, done: 'changed' }, (transaction) =>
      this.catalog.changeOnboarding(transaction, organizationId, id, details),
    );
  }

  resubmit(write: Write, { organizationId }: Caller, id: string): Promise<OneOnboarding> {
    return this.unitOfWork.change(write, { ...ONBOARDING, done: 'submitted' }, (transaction) =>
      this.catalog.resubmitOnboarding(transaction, organizationId, id),
    );
  }
}
