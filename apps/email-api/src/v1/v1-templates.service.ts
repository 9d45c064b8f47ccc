import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Tenant } from '@heliograph/auth';
import { toPage } from '@heliograph/database';
import { AUDITED_EMAIL_TEMPLATE, EMAIL_TEMPLATES, EmailCatalogService, EmailTemplate } from '@heliograph/email-catalog';
import { v1List, pageOf, withFields, type V1List } from '@heliograph/service-kit';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import { LessThan, Repository } from 'typeorm';
import { V1Template, type V1TemplateRequest, type V1TemplatesQuery } from './v1-templates.dto';

const SUMMARY = {
  id: true,
  slug: true,
  name: true,
  subject: true,
  variables: true,
  createdAt: true,
  updatedAt: true,
  unsubscribeScope: true,
} as const;

/** Creates and lists templates for the v1 API; each creation is audited. */
@Injectable()
export class V1TemplatesService {
  constructor(
    private readonly catalog: EmailCatalogService,
    private readonly unitOfWork: UnitOfWork,
    @InjectRepository(EmailTemplate) private readonly templates: Repository<EmailTemplate>,
  ) {}

  /** Throws INVALID_REQUEST, INVALID_TEMPLATE, NAME_TAKEN and LIMIT_REACHED. */
  create(write: Write, { organizationId }: Tenant, request: V1TemplateRequest): Promise<V1Template> {
    const created = {
      kind: AUDITED_EMAIL_TEMPLATE,
      done: 'created',
      creates: { organizationId, kind: EMAIL_TEMPLATES },
      answer: V1Template.of,
    };
    const insert = (): Promise<V1Template> =>
      this.unitOfWork.change(write, created, async (transaction) => ({
        after: await this.catalog.createTemplate(transaction, organizationId, {
          slug: request.slug,
          name: request.name,
          subject: request.subject ?? null,
          html: request.html ?? null,
          text: request.text ?? null,
          unsubscribeScope: request.unsubscribe_scope ?? null,
        }),
      }));
    return this.unitOfWork.once(write, () => withFields({}, insert));
  }

  /** Returns templates sorted by creation time, newest first. */
  async list({ organizationId }: Tenant, query: V1TemplatesQuery): Promise<V1List<V1Template>> {
    const page = pageOf(query);
    const rows = await this.templates.find({
      where: { organizationId, ...(page.after === null ? {} : { id: LessThan(page.after) }) },
      select: SUMMARY,
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return v1List(
      toPage(rows, page, ({ id }) => id),
      (template) => V1Template.of(template),
    );
  }
}
