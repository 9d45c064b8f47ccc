import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { DomainChecks, EmailCatalogService, generateDkimKey, type EmailDomain } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../../access/caller';
import { RateLimits } from '../../../access/rate-limits';
import { LIMITED } from '../../../unit-of-work/limited-kinds';
import {
  EmailDomainPage,
  OneEmailDomain,
  type CreateEmailDomainRequest,
  type DescribedDomain,
  type EmailDomainQuery,
} from './domains.dto';

/** Checks with an unchanged result are not audited, so the time of the check is excluded from the comparison. */
const EMAIL_DOMAIN = new AuditedKind<EmailDomain>('email.domain', targetOf, (domain) => {
  const { name, status, findings, expiresAt } = domain;
  return { name, status, records: findings.map((found) => `${found.purpose} ${found.status}`), expiresAt };
});

/** Manages the sending domains of an organization; each write is audited. */
@Injectable()
export class EmailDomainsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly checks: DomainChecks,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: RateLimits,
  ) {}

  async list({ organizationId }: Caller, query: EmailDomainQuery): Promise<EmailDomainPage> {
    const filter = given({ status: query.status });
    const page = await this.catalog.listDomains(this.dataSource.manager, organizationId, pageOf(query), filter);
    return EmailDomainPage.of({ ...page, items: page.items.map((domain) => this.describe(domain)) });
  }

  async get({ organizationId }: Caller, id: string): Promise<OneEmailDomain> {
    return this.answer(await this.catalog.domainOf(this.dataSource.manager, organizationId, id));
  }

  /** Throws LIMIT_REACHED, RATE_LIMITED. */
  create(write: Write, { organizationId }: Caller, { name }: CreateEmailDomainRequest): Promise<OneEmailDomain> {
    return this.unitOfWork.once(write, async () => {
      await this.limits.countEmailDomain(organizationId);
      // Keys are generated one after the other, so this call may wait and runs outside the transaction.
      const key = await generateDkimKey();
      const creates = { organizationId, kind: LIMITED.emailDomains };
      return this.unitOfWork.change(write, { ...this.change('created'), creates }, async (transaction) => ({
        after: await this.catalog.createDomain(transaction, organizationId, { name, key }),
      }));
    });
  }

  remove(write: Write, { organizationId }: Caller, id: string): Promise<OneEmailDomain> {
    return this.unitOfWork.change(write, this.change('removed'), async (transaction) => ({
      before: await this.catalog.removeDomain(transaction, organizationId, id),
    }));
  }

  /** Throws STATE_CONFLICT if another organization owns the domain. */
  verify(write: Write, { organizationId }: Caller, id: string): Promise<OneEmailDomain> {
    return this.unitOfWork.once(write, async () => {
      const domain = await this.catalog.domainOf(this.dataSource.manager, organizationId, id);
      // DNS look-ups may take seconds, so they run outside the transaction.
      const check = await this.checks.check(domain);
      return this.unitOfWork.change(write, this.change('checked'), (transaction) =>
        this.checks.record(transaction, organizationId, id, check),
      );
    });
  }

  private change(done: string) {
    return { kind: EMAIL_DOMAIN, done, answer: (domain: EmailDomain) => this.answer(domain) };
  }

  private answer(domain: EmailDomain): OneEmailDomain {
    return OneEmailDomain.of(this.describe(domain));
  }

  private describe(domain: EmailDomain): DescribedDomain {
    return { domain, records: this.checks.recordsOf(domain) };
  }
}
