import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/addresses';
import { AUDITED_TEMPLATE, CatalogService } from '@heliograph/sms-catalog';
import { previewMessage } from '@heliograph/sms-text';
import { DataSource } from 'typeorm';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { readFlag } from '../../http/rules';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import {
  OneTemplate,
  TemplatePage,
  type ChangeTemplateRequest,
  type CreateTemplateRequest,
  type RegistrationQuery,
} from './sms.dto';
import { Preview, type PreviewRequest } from './template-preview.dto';

const TEMPLATE = { kind: AUDITED_TEMPLATE, answer: OneTemplate.of };

/** Manages the SMS templates of an organization; each write is audited. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: RegistrationQuery): Promise<TemplatePage> {
    const filter = given({ onboardingId: query.onboardingId, isActive: readFlag(query.isActive) });
    return TemplatePage.of(
      await this.catalog.listTemplates(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  async get({ organizationId }: Caller, id: string): Promise<OneTemplate> {
    return OneTemplate.of(await this.catalog.templateOf(this.dataSource.manager, organizationId, id));
  }

  create(write: Write, { organizationId }: Caller, details: CreateTemplateRequest): Promise<OneTemplate> {
    const creates = { organizationId, kind: LIMITED.smsTemplates };
    return this.unitOfWork.change(write, { ...TEMPLATE, done: 'created', creates }, async (transaction) => ({
      after: await this.catalog.createTemplate(transaction, organizationId, details),
    }));
  }

  update(write: Write, { organizationId }: Caller, id: string, details: ChangeTemplateRequest): Promise<OneTemplate> {
    return this.unitOfWork.change(write, { ...TEMPLATE, done: 'changed' }, (transaction) =>
      this.catalog.changeTemplate(transaction, organizationId, id, details),
    );
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
