import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/phone';
import { CatalogService, type Onboarding, type Sender, type Template } from '@heliograph/sms-catalog';
import { previewMessage } from '@heliograph/sms-text';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import {
  OnboardingRecord,
  Preview,
  SenderAnswer,
  TemplateAnswer,
  type ChangeOnboardingRequest,
  type ChangeSenderRequest,
  type ChangeTemplateRequest,
  type CreateOnboardingRequest,
  type CreateSenderRequest,
  type CreateTemplateRequest,
  type OnboardingQuery,
  type PreviewRequest,
  type RegistrationQuery,
} from './sms.dto';

type Kind = 'onboarding' | 'sender' | 'template';
type Entry = Onboarding | Sender | Template;

/** What an organization registers to send SMS with, on the record. */
@Injectable()
export class RegistrationsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CatalogService) private readonly catalog: CatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  onboardings({ organizationId }: Caller, page: Page, { status }: OnboardingQuery): Promise<PageOf<Onboarding>> {
    return this.catalog.listOnboardings(this.dataSource.manager, organizationId, page, status ? { status } : {});
  }

  onboarding({ organizationId }: Caller, id: string): Promise<Onboarding> {
    return this.catalog.onboardingOf(this.dataSource.manager, organizationId, id);
  }

  createOnboarding(
    call: WriteCall,
    { organizationId }: Caller,
    asked: CreateOnboardingRequest,
  ): Promise<OnboardingRecord> {
    return this.writes.run(call, async (open) => {
      const made = await this.catalog.createOnboarding(open.transaction, organizationId, asked);
      return note(open, 'onboarding', 'submitted', null, made, OnboardingRecord.of);
    });
  }

  changeOnboarding(
    call: WriteCall,
    { organizationId }: Caller,
    id: string,
    asked: ChangeOnboardingRequest,
  ): Promise<OnboardingRecord> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.changeOnboarding(open.transaction, organizationId, id, asked);
      return note(open, 'onboarding', 'changed', before, after, OnboardingRecord.of);
    });
  }

  resubmitOnboarding(call: WriteCall, { organizationId }: Caller, id: string): Promise<OnboardingRecord> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.resubmitOnboarding(open.transaction, organizationId, id);
      return note(open, 'onboarding', 'submitted', before, after, OnboardingRecord.of);
    });
  }

  senders({ organizationId }: Caller, page: Page, query: RegistrationQuery): Promise<PageOf<Sender>> {
    return this.catalog.listSenders(this.dataSource.manager, organizationId, page, filterOf(query));
  }

  sender({ organizationId }: Caller, id: string): Promise<Sender> {
    return this.catalog.senderOf(this.dataSource.manager, organizationId, id);
  }

  createSender(call: WriteCall, { organizationId }: Caller, asked: CreateSenderRequest): Promise<SenderAnswer> {
    return this.writes.run(call, async (open) => {
      const made = await this.catalog.createSender(open.transaction, organizationId, asked);
      return note(open, 'sender', 'created', null, made, SenderAnswer.of);
    });
  }

  changeSender(
    call: WriteCall,
    { organizationId }: Caller,
    id: string,
    asked: ChangeSenderRequest,
  ): Promise<SenderAnswer> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.changeSender(open.transaction, organizationId, id, asked);
      return note(open, 'sender', 'changed', before, after, SenderAnswer.of);
    });
  }

  templates({ organizationId }: Caller, page: Page, query: RegistrationQuery): Promise<PageOf<Template>> {
    return this.catalog.listTemplates(this.dataSource.manager, organizationId, page, filterOf(query));
  }

  template({ organizationId }: Caller, id: string): Promise<Template> {
    return this.catalog.templateOf(this.dataSource.manager, organizationId, id);
  }

  createTemplate(call: WriteCall, { organizationId }: Caller, asked: CreateTemplateRequest): Promise<TemplateAnswer> {
    return this.writes.run(call, async (open) => {
      const made = await this.catalog.createTemplate(open.transaction, organizationId, asked);
      return note(open, 'template', 'created', null, made, TemplateAnswer.of);
    });
  }

  changeTemplate(
    call: WriteCall,
    { organizationId }: Caller,
    id: string,
    asked: ChangeTemplateRequest,
  ): Promise<TemplateAnswer> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.changeTemplate(open.transaction, organizationId, id, asked);
      return note(open, 'template', 'changed', before, after, TemplateAnswer.of);
    });
  }

  /** What a send would put on the air and cost. Writes nothing. Throws VALIDATION_ERROR. */
  async preview({ body, variables, country }: PreviewRequest): Promise<Preview> {
    if (country !== undefined && !isCountryCode(country)) {
      throw new AppError('VALIDATION_ERROR', 'country: must be an ISO 3166 alpha-2 code, such as IN.');
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

/** Puts the write on the record, and answers what is there now. */
async function note<E extends Entry, A extends object>(
  { record }: OpenWrite,
  kind: Kind,
  done: string,
  before: E | null,
  after: E,
  answerOf: (entry: E) => A,
): Promise<A> {
  const answer = answerOf(after);
  await record({
    organizationId: after.organizationId,
    action: `sms.${kind}.${done}`,
    target: { type: `sms.${kind}`, id: after.id },
    before: before && answerOf(before),
    after: answer,
  });
  return answer;
}
