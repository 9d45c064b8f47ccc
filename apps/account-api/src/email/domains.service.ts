import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { DomainChecks, EmailCatalogService, type EmailDomain } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import { EmailDomainRecord, type CreateEmailDomainRequest, type EmailDomainQuery } from './domains.dto';
import { recordChange } from './record-change';

/** The domains that an organization sends from, on the record. */
@Injectable()
export class EmailDomainsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EmailCatalogService) private readonly catalog: EmailCatalogService,
    @Inject(DomainChecks) private readonly checks: DomainChecks,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  async list({ organizationId }: Caller, page: Page, query: EmailDomainQuery): Promise<PageOf<EmailDomainRecord>> {
    const filter = query.status === undefined ? {} : { status: query.status };
    const { items, next } = await this.catalog.listDomains(this.dataSource.manager, organizationId, page, filter);
    return { items: items.map((domain) => this.show(domain)), next };
  }

  async one({ organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    return this.show(await this.catalog.domainOf(this.dataSource.manager, organizationId, id));
  }

  create(call: WriteCall, { organizationId }: Caller, asked: CreateEmailDomainRequest): Promise<EmailDomainRecord> {
    return this.writes.run(call, async (open) => {
      const after = await this.catalog.createDomain(open.transaction, organizationId, asked);
      await recordChange(open, ['domain', 'created'], { after }, noted);
      return this.show(after);
    });
  }

  remove(call: WriteCall, { organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    return this.writes.run(call, async (open) => {
      const before = await this.catalog.removeDomain(open.transaction, organizationId, id);
      await recordChange(open, ['domain', 'removed'], { before }, noted);
      return this.show(before);
    });
  }

  /** Throws STATE_CONFLICT when another organization holds the name. */
  async verify(call: WriteCall, { organizationId }: Caller, id: string): Promise<EmailDomainRecord> {
    const domain = await this.catalog.domainOf(this.dataSource.manager, organizationId, id);
    // Name servers may take seconds to answer, which no transaction should stay open for.
    const check = await this.checks.check(domain);
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.checks.record(open.transaction, organizationId, id, check);
      await recordChange(open, ['domain', 'checked'], { before, after }, noted);
      return this.show(after);
    });
  }

  private show(domain: EmailDomain): EmailDomainRecord {
    return EmailDomainRecord.of(domain, this.checks.recordsOf(domain));
  }
}

/** A check that finds what the one before found is not worth an entry, so the time of it is not noted. */
function noted({ name, status, findings, expiresAt }: EmailDomain): object {
  return { name, status, records: findings.map((found) => `${found.purpose} ${found.status}`), expiresAt };
}
