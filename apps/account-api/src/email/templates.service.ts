import { Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { EmailCatalogService, type EmailTemplate, type EmailTemplateSummary } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { excerptOf } from '../unit-of-work/excerpt';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { previewEmail } from './preview-email';
import { auditChange } from './audit-change';
import {
  EmailTemplateRecord,
  type ChangeEmailTemplateRequest,
  type CreateEmailTemplateRequest,
  type EmailPreview,
} from './templates.dto';

/** Manages the email templates of an organization; each write is audited. */
@Injectable()
export class EmailTemplatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<EmailTemplateSummary>> {
    return this.catalog.listTemplates(this.dataSource.manager, organizationId, page);
  }

  get({ organizationId }: Caller, id: string): Promise<EmailTemplate> {
    return this.catalog.templateOf(this.dataSource.manager, organizationId, id);
  }

  create(
    write: WriteRequest,
    { organizationId }: Caller,
    body: CreateEmailTemplateRequest,
  ): Promise<EmailTemplateRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const after = await this.catalog.createTemplate(work.transaction, organizationId, body);
      await auditChange(work, ['template', 'created'], { after }, toAuditData);
      return EmailTemplateRecord.of(after);
    });
  }

  update(
    write: WriteRequest,
    { organizationId }: Caller,
    id: string,
    body: ChangeEmailTemplateRequest,
  ): Promise<EmailTemplateRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.changeTemplate(work.transaction, organizationId, id, body);
      await auditChange(work, ['template', 'changed'], { before, after }, toAuditData);
      return EmailTemplateRecord.of(after);
    });
  }

  remove(write: WriteRequest, { organizationId }: Caller, id: string): Promise<EmailTemplateRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.catalog.removeTemplate(work.transaction, organizationId, id);
      await auditChange(work, ['template', 'removed'], { before }, toAuditData);
      return EmailTemplateRecord.of(before);
    });
  }

  async preview(caller: Caller, id: string, variables: Record<string, unknown>): Promise<EmailPreview> {
    return previewEmail(await this.get(caller, id), variables);
  }
}

function toAuditData({ slug, name, subject, html, text }: EmailTemplate): object {
  return { slug, name, subject, html: excerptOf(html), text: excerptOf(text) };
}
