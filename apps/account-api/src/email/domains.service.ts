import { Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { DomainChecks, EmailCatalogService, type EmailDomain } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { EmailDomainRecord, type CreateEmailDomainRequest, type EmailDomainQuery } from './domains.dto';
import { auditChange } from './audit-change';

/** Manages the sending domains of an organization; each write is audited. */
@Injectable()
export class EmailDomainsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly checks: DomainChecks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, page: Page, query: EmailDomainQuery): Promise<PageOf<EmailDomainRecord>> {
    const filter = query.status === undefined ? {} : { status: query.status };
    const { items, next } = await this.catalog.listDomains(this.dataSource.manager, organizationId, page, filter);
    return { items: items.map((domain) => this.show(domain)), next };
  }

  async get({ organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    return this.show(await this.catalog.domainOf(this.dataSource.manager, organizationId, id));
  }

  create(write: WriteRequest, { organizationId }: Caller, body: CreateEmailDomainRequest): Promise<EmailDomainRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const after = await this.catalog.createDomain(work.transaction, organizationId, body);
      await auditChange(work, ['domain', 'created'], { after }, toAuditData);
      return this.show(after);
    });
  }

  remove(write: WriteRequest, { organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.catalog.removeDomain(work.transaction, organizationId, id);
      await auditChange(work, ['domain', 'removed'], { before }, toAuditData);
      return this.show(before);
    });
  }

  /** Throws STATE_CONFLICT if another organization owns the domain. */
  async verify(write: WriteRequest, { organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    const domain = await this.catalog.domainOf(this.dataSource.manager, organizationId, id);
    // DNS lookups may take seconds, so they run outside the transaction.
    const check = await this.checks.check(domain);
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.checks.record(work.transaction, organizationId, id, check);
      await auditChange(work, ['domain', 'checked'], { before, after }, toAuditData);
      return this.show(after);
    });
  }

  private show(domain: EmailDomain): EmailDomainRecord {
    return EmailDomainRecord.of(domain, this.checks.recordsOf(domain));
  }
}

/** A check without a changed result is not audited, so the check time is left out of the comparison. */
function toAuditData({ name, status, findings, expiresAt }: EmailDomain): object {
  return { name, status, records: findings.map((found) => `${found.purpose} ${found.status}`), expiresAt };
}
