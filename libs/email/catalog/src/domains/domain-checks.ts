import { Inject, Injectable } from '@nestjs/common';
import { emailDomainLapsed, emailDomainVerified } from '@heliograph/contracts';
import { changeEntry, clientOf, isTestId, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { EmailCatalogService } from '../catalog.service';
import { DnsLookup } from './dns-lookup';
import { expectedRecords, recordsOf, type DnsRecord, type ExpectedRecord } from './dns-records';
import { evaluateLookUps, stateAfter, type DomainCheck } from './domain-state';
import { EmailDomain } from './domain.entity';
import type { EmailDomainConfig } from './domains.config';
import { refuseNameHeldElsewhere } from './verified-names';

const HOUR_MS = 3_600_000;
/** Maximum domains of one run, and how many of them are checked concurrently. */
const BATCH = 60;
const CONCURRENCY = 20;

/** The names of domains of test organizations whose records are missing begin with this. */
const UNVERIFIED = 'unverified.';

interface DueDomain {
  id: string;
  organization_id: string;
}

/** Checks the DNS records of domains, on request and periodically. */
@Injectable()
export class DomainChecks {
  private readonly dns: DnsLookup;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly catalog: EmailCatalogService,
    @Inject(CONFIG) private readonly config: EmailDomainConfig,
  ) {
    this.dns = new DnsLookup(config);
  }

  /** Returns the records that the organization must publish, with the results of the last check. */
  recordsOf(domain: EmailDomain): DnsRecord[] {
    return recordsOf(domain, this.config);
  }

  /** Checks without writing. Takes seconds if DNS servers are unavailable, so do not call it within a transaction. */
  async check(domain: EmailDomain): Promise<DomainCheck> {
    const expected = expectedRecords(domain, this.config);
    if (isTestId(domain.organizationId)) return simulatedCheck(domain, expected);
    return evaluateLookUps(
      await Promise.all(
        expected.map(async (record) => ({ required: record.required, lookUp: await this.dns.find(record) })),
      ),
    );
  }

  /** Stores the result of a check. Throws NOT_FOUND, and STATE_CONFLICT if another organization has verified the name. */
  async record(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    check: DomainCheck,
  ): Promise<Changed<EmailDomain>> {
    if (check.outcome === 'verified' && !isTestId(organizationId)) {
      const { name } = await this.catalog.domainOf(transaction, organizationId, id);
      await refuseNameHeldElsewhere(transaction, organizationId, name);
    }
    const graceMs = this.config.EMAIL_DOMAIN_GRACE_HOURS * HOUR_MS;
    const changed = await changeEntry(transaction, EmailDomain, { organizationId, id }, (before) =>
      isTestId(organizationId) ? simulatedState(check, new Date()) : stateAfter(before, check, new Date(), graceMs),
    );
    await announce(transaction, changed);
    return changed;
  }

  /** Checks one domain now. Throws like `record`. */
  async verify(organizationId: string, id: string): Promise<Changed<EmailDomain>> {
    const domain = await this.catalog.domainOf(this.dataSource.manager, organizationId, id);
    const check = await this.check(domain);
    return this.dataSource.transaction((transaction) => this.record(transaction, organizationId, id, check));
  }

  /**
   * Checks the due domains of all organizations and returns their number. Several processes can run it concurrently,
   * because each domain is claimed by one of them. Rejects after all checks if one failed because of the database.
   */
  async runDue(limit = BATCH): Promise<number> {
    const due = await this.claimDueAcrossTenants(limit);
    const failures: unknown[] = [];
    for (let start = 0; start < due.length; start += CONCURRENCY) {
      const results = await Promise.allSettled(
        due.slice(start, start + CONCURRENCY).map(({ id, organization_id: of }) => this.verify(of, id)),
      );
      failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])));
    }
    // A domain that was removed, or verified by another organization, does not count as a failure of the run.
    const failure = failures.find((reason) => !(reason instanceof AppError));
    if (failure !== undefined) throw failure;
    return due.length;
  }

  /**
   * The claim sets the time of the check, so after a crash the domain is checked again when it is due. A failed domain is
   * checked for another month, because its records may be restored.
   */
  private async claimDueAcrossTenants(limit: number): Promise<DueDomain[]> {
    const { rows } = await this.pool.query<DueDomain>(
      `UPDATE email.domains SET checked_at = now() WHERE id IN (
         SELECT id FROM email.domains
         WHERE (status = 'pending' AND created_at > now() - interval '14 days'
                AND (checked_at IS NULL OR checked_at <= now() - interval '15 minutes'))
            OR (verified_by = 'dns' AND checked_at <= now() - make_interval(secs => $2)
                AND (status = 'verified' OR (status = 'failed' AND failing_since > now() - interval '30 days')))
         ORDER BY checked_at NULLS FIRST LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, organization_id`,
      [limit, this.config.EMAIL_DOMAIN_RECHECK_HOURS * 3_600],
    );
    return rows;
  }
}

/** Emits an event if the domain became verified or is no longer verified. */
async function announce(transaction: EntityManager, { before, after }: Changed<EmailDomain>): Promise<void> {
  const isVerified = after.status === 'verified';
  if (isVerified === (before.status === 'verified')) return;
  const event = composeEvent(isVerified ? emailDomainVerified : emailDomainLapsed, {
    organizationId: after.organizationId,
    workspaceId: null,
    correlationId: null,
    data: { domainId: after.id, name: after.name },
  });
  await addToOutbox(await clientOf(transaction), [event]);
}

/** The domain of a test organization has the records of which its name tells. Nothing is looked up. */
function simulatedCheck({ name }: EmailDomain, expected: readonly ExpectedRecord[]): DomainCheck {
  const status = name.startsWith(UNVERIFIED) ? ('pending' as const) : ('verified' as const);
  return {
    outcome: status === 'verified' ? 'verified' : 'missing',
    findings: expected.map(({ purpose, value }) => ({ purpose, status, found: status === 'verified' ? [value] : [] })),
  };
}

/**
 * The state of a domain of a test organization. It is not verified by the DNS, so that it keeps nobody else from verifying the name,
 * and is not checked again.
 */
function simulatedState({ outcome, findings }: DomainCheck, now: Date): Partial<EmailDomain> {
  const seen = { checkedAt: now, findings };
  return outcome === 'verified' ? { ...seen, status: 'verified', verifiedBy: 'operator', verifiedAt: now } : seen;
}
