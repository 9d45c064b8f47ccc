import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import {
  ChatappAccounts,
  ChatappCatalog,
  type ChatappAccount,
  type ChatappTemplate,
} from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import {
  AlreadyClaimedError,
  claimResponse,
  IdempotencyService,
  storeResponse,
  type Claim,
} from '@heliograph/idempotency';
import { DataSource } from 'typeorm';
import { toAppError, unanswered } from '../upstream/graph-client';
import { Providers } from '../upstream/providers';
import type { UpstreamTemplate } from '../upstream/template-answers';
import { isSameTemplate } from './is-same-template';
import { readComponents } from './reading/read-components';
import {
  isTemplateName,
  statusOf,
  TemplateCreated,
  TemplateDeleted,
  TemplateList,
  TemplateRecord,
  type TemplateFilter,
  type TemplateRequest,
} from './templates.dto';
import { TemplatesRepository, type NewTemplate, type Reservation } from './templates.repository';

@Injectable()
export class TemplatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: ChatappAccounts,
    private readonly catalog: ChatappCatalog,
    private readonly templates: TemplatesRepository,
    private readonly providers: Providers,
    private readonly idempotency: IdempotencyService,
  ) {}

  async list({ organizationId }: Tenant, filter: TemplateFilter): Promise<TemplateList> {
    const [templates, businessAccounts] = await Promise.all([
      this.catalog.listTemplates(organizationId, statusOf(filter)),
      this.templates.businessAccountIds(),
    ]);
    return {
      templates: templates.map((template) =>
        TemplateRecord.of(template, businessAccounts.get(template.accountId) ?? ''),
      ),
    };
  }

  /**
   * Reserves the name before the call to the provider and confirms the reservation after the response. If the process
   * crashes between these steps, the reservation remains, and a repeated call or a sync finds the template that the
   * provider has created.
   */
  create({ organizationId }: Tenant, request: TemplateRequest, claim: Claim | null): Promise<TemplateCreated> {
    return this.idempotency.run(claim, async () => {
      const template: NewTemplate = { ...request, components: readComponents(request) };
      const account = await this.account(organizationId);
      const reservation = await this.templates.reserve(organizationId, account.id, template);
      if (reservation === 'taken') throw nameInUse(template);
      if (reservation === 'exists') throw alreadyExists(template);
      const { name, language, category, components } = template;
      const { message_send_ttl_seconds } = request;
      const made = await this.providers.of(organizationId).createTemplate({
        name,
        language,
        category: category.toUpperCase(),
        components,
        ...(message_send_ttl_seconds !== undefined && { message_send_ttl_seconds }),
      });
      switch (made.kind) {
        case 'created':
          return this.confirm(
            account,
            {
              ...reservation.row,
              components,
              messageSendTtlSeconds: message_send_ttl_seconds ?? null,
              category: made.category ?? category,
              status: made.status,
              upstreamId: made.id,
            },
            claim,
          );
        case 'exists':
          return this.adoptExisting(account, reservation, template, claim);
        case 'refused':
          if (reservation.isFresh) await this.templates.release(organizationId, reservation.row.id);
          throw toAppError(made.error);
        case 'unanswered':
          throw unanswered(made.reason);
      }
    });
  }

  /** Called if the template exists at the provider: either an earlier call has created it, or it belongs to another owner. */
  private async adoptExisting(
    account: ChatappAccount,
    { row, isFresh }: Reservation,
    template: NewTemplate,
    claim: Claim | null,
  ): Promise<TemplateCreated> {
    const found = isFresh ? undefined : await this.findUpstream(row);
    if (!found || !isSameTemplate(row.components, found.components)) {
      if (isFresh && row.organizationId) await this.templates.release(row.organizationId, row.id);
      throw nameInUse(template);
    }
    const { id: upstreamId, category, status, message_send_ttl_seconds: messageSendTtlSeconds } = found;
    const matchesRequest =
      isSameTemplate(template.components, row.components) &&
      (template.message_send_ttl_seconds ?? null) === row.messageSendTtlSeconds;
    const taken = { ...row, category, status, upstreamId, messageSendTtlSeconds };
    const created = await this.confirm(account, taken, matchesRequest ? claim : null);
    if (!matchesRequest) throw alreadyExists(template);
    return created;
  }

  private async findUpstream({
    organizationId,
    name,
    language,
  }: ChatappTemplate): Promise<UpstreamTemplate | undefined> {
    const provider = organizationId === null ? this.providers.live : this.providers.of(organizationId);
    const { templates } = await provider.listTemplates(null, name);
    return templates.find((template) => template.name === name && template.language === language);
  }

  private async confirm(account: ChatappAccount, row: ChatappTemplate, claim: Claim | null): Promise<TemplateCreated> {
    const answer = TemplateCreated.from(row, account.businessAccountId ?? '');
    const isFirst = await this.dataSource.transaction(async (transaction) => {
      await this.templates.confirm(transaction, row);
      if (!claim) return true;
      const isClaimed = await claimResponse(transaction, claim);
      if (isClaimed) await storeResponse(transaction, claim, answer);
      return isClaimed;
    });
    if (!isFirst) throw new AlreadyClaimedError();
    return answer;
  }

  /** Deletes all languages of the name. Throws NOT_FOUND; FORBIDDEN for a shared template. */
  async remove({ organizationId }: Tenant, name: string): Promise<TemplateDeleted> {
    const account = await this.account(organizationId);
    const rows = isTemplateName(name) ? await this.templates.named(account.id, name) : [];
    if (!rows.some((row) => row.organizationId === organizationId)) {
      if (rows.some((row) => row.organizationId === null)) {
        throw new AppError(
          'FORBIDDEN',
          'This template is shared, and only the operator can delete it. Create a template of your own to change it.',
        );
      }
      throw new AppError('NOT_FOUND', 'Unknown template. GET /chatapp/templates lists the templates.');
    }
    // If the provider returns NOT_FOUND, an earlier call has deleted the template and crashed before it updated the mirror.
    await this.providers.of(organizationId).deleteTemplate(name);
    await this.templates.remove(organizationId, account.id, name);
    return { ok: true, name };
  }

  private account(organizationId: string): Promise<ChatappAccount> {
    const { phoneNumberId, businessAccountId } = this.providers.of(organizationId).requireConfigured();
    return this.accounts.operatorAccount(phoneNumberId, businessAccountId);
  }
}

function nameInUse({ name }: NewTemplate): AppError {
  return new AppError('CHATAPP_REQUEST_INVALID', `The template name ${name} is in use. Choose another name.`);
}

function alreadyExists({ name, language }: NewTemplate): AppError {
  return new AppError(
    'CHATAPP_REQUEST_INVALID',
    `The template ${name} already exists in ${language}. Choose another name or language, or delete that template first.`,
  );
}
