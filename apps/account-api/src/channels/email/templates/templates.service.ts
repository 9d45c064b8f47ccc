import { Injectable } from '@nestjs/common';
import { AUDITED_EMAIL_TEMPLATE, EmailCatalogService, type EmailTemplate } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../../access/caller';
import type { PageQuery } from '../../../http/page.query';
import { LIMITED } from '../../../unit-of-work/limited-kinds';
import { previewEmail } from './preview-email';
import {
  EmailTemplatePage,
  OneEmailTemplate,
  type ChangeEmailTemplateRequest,
  type CreateEmailTemplateRequest,
  type EmailPreview,
} from './templates.dto';

const EMAIL_TEMPLATE = { kind: AUDITED_EMAIL_TEMPLATE, answer: OneEmailTemplate.of };

/** Manages the email templates of an organization; each write is audited. */
@Injectable()
export class EmailTemplatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: PageQuery): Promise<EmailTemplatePage> {
    return EmailTemplatePage.of(
      await this.catalog.listTemplates(this.dataSource.manager, organizationId, pageOf(query)),
    );
  }

  async get(caller: Caller, id: string): Promise<OneEmailTemplate> {
    return OneEmailTemplate.of(await this.template(caller, id));
  }

  create(write: Write, { organizationId }: Caller, body: CreateEmailTemplateRequest): Promise<OneEmailTemplate> {
    const creates = { organizationId, kind: LIMITED.emailTemplates };
    return this.unitOfWork.change(write, { ...EMAIL_TEMPLATE, done: 'created', creates }, async (transaction) => ({
      after: await this.catalog.createTemplate(transaction, organizationId, body),
    }));
  }

  update(
    write: Write,
    { organizationId }: Caller,
    id: string,
    body: ChangeEmailTemplateRequest,
  ): Promise<OneEmailTemplate> {
    return this.unitOfWork.change(write, { ...EMAIL_TEMPLATE, done: 'changed' }, (transaction) =>
      this.catalog.changeTemplate(transaction, organizationId, id, body),
    );
  }

  remove(write: Write, { organizationId }: Caller, id: string): Promise<OneEmailTemplate> {
    return this.unitOfWork.change(write, { ...EMAIL_TEMPLATE, done: 'removed' }, async (transaction) => ({
      before: await this.catalog.removeTemplate(transaction, organizationId, id),
    }));
  }

  async preview(caller: Caller, id: string, variables: Record<string, unknown>): Promise<EmailPreview> {
    return previewEmail(await this.template(caller, id), variables);
  }

  private template({ organizationId }: Caller, id: string): Promise<EmailTemplate> {
    return this.catalog.templateOf(this.dataSource.manager, organizationId, id);
  }
}
