import { Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/phone';
import { CatalogService, type Onboarding, type Sender, type Template } from '@heliograph/sms-catalog';
import { previewMessage } from '@heliograph/sms-text';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  OnboardingRecord,
  SenderAnswer,
  TemplateAnswer,
  type ChangeOnboardingRequest,
  type ChangeSenderRequest,
  type ChangeTemplateRequest,
  type CreateOnboardingRequest,
  type CreateSenderRequest,
  type CreateTemplateRequest,
  type OnboardingQuery,
  type RegistrationQuery,
} from './sms.dto';
import { Preview, type PreviewRequest } from './template-preview.dto';

type Kind = 'onboarding' | 'sender' | 'template';
type Entry = Onboarding | Sender | Template;

/** Manages the SMS onboardings, senders and templates of an organization; each write is audited. */
@Injectable()
export class RegistrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onboardings({ organizationId }: Caller, page: Page, { status }: OnboardingQuery): Promise<PageOf<Onboarding>> {
    return this.catalog.listOnboardings(this.dataSource.manager, organizationId, page, status ? { status } : {});
  }

  onboarding({ organizationId }: Caller, id: string): Promise<Onboarding> {
    return this.catalog.onboardingOf(this.dataSource.manager, organizationId, id);
  }

  createOnboarding(
    write: WriteRequest,
    { organizationId }: Caller,
    details: CreateOnboardingRequest,
  ): Promise<OnboardingRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const created = await this.catalog.createOnboarding(work.transaction, organizationId, details);
      return auditChange(work, 'onboarding', 'submitted', null, created, OnboardingRecord.of);
    });
  }

  changeOnboarding(
    write: WriteRequest,
    { organizationId }: Caller,
    id: string,
    details: ChangeOnboardingRequest,
  ): Promise<OnboardingRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.changeOnboarding(work.transaction, organizationId, id, details);
      return auditChange(work, 'onboarding', 'changed', before, after, OnboardingRecord.of);
    });
  }

  resubmitOnboarding(write: WriteRequest, { organizationId }: Caller, id: string): Promise<OnboardingRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.resubmitOnboarding(work.transaction, organizationId, id);
      return auditChange(work, 'onboarding', 'submitted', before, after, OnboardingRecord.of);
    });
  }

  senders({ organizationId }: Caller, page: Page, query: RegistrationQuery): Promise<PageOf<Sender>> {
    return this.catalog.listSenders(this.dataSource.manager, organizationId, page, filterOf(query));
  }

  sender({ organizationId }: Caller, id: string): Promise<Sender> {
    return this.catalog.senderOf(this.dataSource.manager, organizationId, id);
  }

  createSender(write: WriteRequest, { organizationId }: Caller, details: CreateSenderRequest): Promise<SenderAnswer> {
    return this.unitOfWork.run(write, async (work) => {
      const created = await this.catalog.createSender(work.transaction, organizationId, details);
      return auditChange(work, 'sender', 'created', null, created, SenderAnswer.of);
    });
  }

  changeSender(
    write: WriteRequest,
    { organizationId }: Caller,
    id: string,
    details: ChangeSenderRequest,
  ): Promise<SenderAnswer> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.changeSender(work.transaction, organizationId, id, details);
      return auditChange(work, 'sender', 'changed', before, after, SenderAnswer.of);
    });
  }

  templates({ organizationId }: Caller, page: Page, query: RegistrationQuery): Promise<PageOf<Template>> {
    return this.catalog.listTemplates(this.dataSource.manager, organizationId, page, filterOf(query));
  }

  template({ organizationId }: Caller, id: string): Promise<Template> {
    return this.catalog.templateOf(this.dataSource.manager, organizationId, id);
  }

  createTemplate(
    write: WriteRequest,
    { organizationId }: Caller,
    details: CreateTemplateRequest,
  ): Promise<TemplateAnswer> {
    return this.unitOfWork.run(write, async (work) => {
      const created = await this.catalog.createTemplate(work.transaction, organizationId, details);
      return auditChange(work, 'template', 'created', null, created, TemplateAnswer.of);
    });
  }

  changeTemplate(
    write: WriteRequest,
    { organizationId }: Caller,
    id: string,
    details: ChangeTemplateRequest,
  ): Promise<TemplateAnswer> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.changeTemplate(work.transaction, organizationId, id, details);
      return auditChange(work, 'template', 'changed', before, after, TemplateAnswer.of);
    });
  }

  /** Renders a message and calculates its segments and cost. Stores nothing. Throws VALIDATION_ERROR. */
  async preview({ body, variables, country }: PreviewRequest): Promise<Preview> {
    if (country !== undefined && !isCountryCode(country)) {
      throw new AppError('VALIDATION_ERROR', 'country: must be an ISO 3166-1 alpha-2 code, such as IN.');
    }
    const rates = country === undefined ? [] : await this.catalog.listRates(this.dataSource.manager);
    const rate = rates.find((known) => known.country === country)?.rate ?? 1;
    const values = new Map(Object.entries(variables).map(([token, value]) => [token, String(value)]));
    try {
      return Preview.of(previewMessage(body, values, rate));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_VARIABLES') throw error;
      throw new AppError('VALIDATION_ERROR', `variables: ${error.message}`, { cause: error });
    }
  }
}

function filterOf({ onboardingId, isActive }: RegistrationQuery) {
  return {
    ...(onboardingId === undefined ? {} : { onboardingId }),
    ...(isActive === undefined ? {} : { isActive: isActive === 'true' }),
  };
}

/** Audits the write and returns the new record. */
async function auditChange<E extends Entry, A extends object>(
  { audit }: UnitOfWorkContext,
  kind: Kind,
  done: string,
  before: E | null,
  after: E,
  answerOf: (entry: E) => A,
): Promise<A> {
  const response = answerOf(after);
  await audit({
    organizationId: after.organizationId,
    action: `sms.${kind}.${done}`,
    target: { type: `sms.${kind}`, id: after.id },
    before: before && answerOf(before),
    after: response,
  });
  return response;
}
