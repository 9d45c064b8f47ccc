import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Tenant } from '@heliograph/auth';
import { given, toPage } from '@heliograph/database';
import { fieldError, type V1List, v1List, pageOf } from '@heliograph/service-kit';
import { AUDITED_TEMPLATE, Catalog, CatalogService, SMS_TEMPLATES, Template } from '@heliograph/sms-catalog';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import { LessThan, Repository } from 'typeorm';
import { withV1Fields } from './v1-errors';
import { V1Template, type V1TemplateRequest, type V1TemplatesQuery } from './v1-templates.dto';

/** Registers and lists templates for the v1 API; each creation is audited. */
@Injectable()
export class V1TemplatesService {
  constructor(
    private readonly catalog: Catalog,
    private readonly entries: CatalogService,
    private readonly unitOfWork: UnitOfWork,
    @InjectRepository(Template) private readonly templates: Repository<Template>,
  ) {}

  /** Throws INVALID_REQUEST, INVALID_SENDER, NOT_FOUND, NAME_TAKEN and LIMIT_REACHED. */
  create(write: Write, { organizationId }: Tenant, request: V1TemplateRequest): Promise<V1Template> {
    const insert = async (): Promise<V1Template> => {
      const onboardingId = await this.onboardingFor(organizationId, request);
      return this.unitOfWork.run(write, async ({ transaction, assertRoom, auditChange }) => {
        await assertRoom({ organizationId, kind: SMS_TEMPLATES });
        const template = await this.entries.createTemplate(transaction, organizationId, {
          name: request.name,
          body: request.body,
          onboardingId,
          dltTemplateId: request.dlt_template_id ?? null,
          isActive: request.active ?? true,
        });
        await auditChange(AUDITED_TEMPLATE, 'created', { after: template });
        const { country } = await this.entries.onboardingOf(transaction, organizationId, onboardingId);
        return V1Template.of(template, country);
      });
    };
    return this.unitOfWork.once(write, () => withV1Fields(insert));
  }

  /** Returns templates sorted by creation time, newest first. */
  async list({ organizationId }: Tenant, query: V1TemplatesQuery): Promise<V1List<V1Template>> {
    const page = pageOf(query);
    const { active, onboarding_id: onboardingId } = query;
    const rows = await this.templates.find({
      where: {
        organizationId,
        ...given({ onboardingId, isActive: active === undefined ? undefined : active === 'true' }),
        ...(page.after === null ? {} : { id: LessThan(page.after) }),
      },
      relations: { onboarding: true },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return v1List(
      toPage(rows, page, ({ id }) => id),
      (template) => V1Template.of(template, template.onboarding?.country ?? ''),
    );
  }

  private async onboardingFor(organizationId: string, request: V1TemplateRequest): Promise<string> {
    if (request.onboarding_id) return request.onboarding_id;
    if (!request.sender_id) {
      throw fieldError('INVALID_REQUEST', 'sender_id', 'Send sender_id or onboarding_id.');
    }
    const sender = await this.catalog.sender(organizationId, request.sender_id);
    if (sender) return sender.onboardingId;
    throw fieldError('INVALID_SENDER', 'sender_id', 'sender_id must be the id or the header of one of your senders.');
  }
}
