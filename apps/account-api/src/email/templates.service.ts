import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { EmailCatalogService, type EmailTemplate, type EmailTemplateSummary } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { excerptOf } from '../writes/excerpt';
import { Writes, type WriteCall } from '../writes/writes.service';
import { previewEmail } from './preview-email';
import { recordChange } from './record-change';
import {
  EmailTemplateRecord,
  type ChangeEmailTemplateRequest,
  type CreateEmailTemplateRequest,
  type EmailPreview,
} from './templates.dto';

/** The mails that an organization has written, on the record. */
@Injectable()
export class EmailTemplatesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EmailCatalogService) private readonly catalog: EmailCatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<EmailTemplateSummary>> {
    return this.catalog.listTemplates(this.dataSource.manager, organizationId, page);
  }

  one({ organizationId }: Caller, id: string): Promise<EmailTemplate> {
    return this.catalog.templateOf(this.dataSource.manager, organizationId, id);
  }

  create(call: WriteCall, { organizationId }: Caller, asked: CreateEmailTemplateRequest): Promise<EmailTemplateRecord> {
    return this.writes.run(call, async (open) => {
      const after = await this.catalog.createTemplate(open.transaction, organizationId, asked);
      await recordChange(open, ['template', 'created'], { after }, noted);
      return EmailTemplateRecord.of(after);
    });
  }

  change(
    call: WriteCall,
    { organizationId }: Caller,
    id: string,
    asked: ChangeEmailTemplateRequest,
  ): Promise<EmailTemplateRecord> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.changeTemplate(open.transaction, organizationId, id, asked);
      await recordChange(open, ['template', 'changed'], { before, after }, noted);
      return EmailTemplateRecord.of(after);
    });
  }

  remove(call: WriteCall, { organizationId }: Caller, id: string): Promise<EmailTemplateRecord> {
    return this.writes.run(call, async (open) => {
      const before = await this.catalog.removeTemplate(open.transaction, organizationId, id);
      await recordChange(open, ['template', 'removed'], { before }, noted);
      return EmailTemplateRecord.of(before);
    });
  }

  async preview(caller: Caller, id: string, variables: Record<string, unknown>): Promise<EmailPreview> {
    return previewEmail(await this.one(caller, id), variables);
  }
}

function noted({ slug, name, subject, html, text }: EmailTemplate): object {
  return { slug, name, subject, html: excerptOf(html), text: excerptOf(text) };
}
