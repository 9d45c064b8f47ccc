import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { ChatappAccounts } from '@heliograph/chatapp-catalog';
import { respondOnce, IdempotencyService, type Claim } from '@heliograph/idempotency';
import { isTestId } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { DataSource } from 'typeorm';
import { Providers } from '../upstream/providers';
import type { UpstreamTemplate } from '../upstream/template-answers';
import type { TemplateSync } from './templates.dto';
import { TemplatesRepository } from './templates.repository';

/** Maximum number of pages of a sync. The provider's limit of templates per account needs fewer pages. */
const MAX_PAGES = 200;
/**
 * Maximum number of templates that a sync looks up by name before it removes them. The other templates are looked up in
 * the next sync.
 */
const MAX_LOOKUPS = 50;

const NOTHING: TemplateSync = { ok: true, fetched: 0, inserted: 0, updated: 0, skipped: 0 };

/** Updates the mirror of the provider's catalog. Calls during a running sync get the counts of the next sync. */
@Injectable()
export class TemplateSyncService {
  private running: Promise<TemplateSync> | null = null;
  private next: Promise<TemplateSync> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: ChatappAccounts,
    private readonly templates: TemplatesRepository,
    private readonly providers: Providers,
    private readonly idempotency: IdempotencyService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Syncs all templates and returns the counts. The templates of a test organization exist here only. */
  sync({ organizationId }: Pick<Tenant, 'organizationId'>, claim: Claim | null): Promise<TemplateSync> {
    return this.idempotency.run(claim, async () => {
      const counts = isTestId(organizationId) ? NOTHING : await this.join();
      if (!claim) return counts;
      return this.dataSource.transaction((transaction) =>
        respondOnce(transaction, claim, () => Promise.resolve(counts)),
      );
    });
  }

  /** One sync at a time per process. Concurrent syncs of two processes do not conflict. */
  private join(): Promise<TemplateSync> {
    if (!this.running) return this.begin();
    // The running sync may have read the catalog before the caller's changes.
    this.next ??= this.running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<TemplateSync> {
    this.next = null;
    const running = this.read().finally(() => {
      if (this.running === running) this.running = null;
    });
    this.running = running;
    return running;
  }

  private async read(): Promise<TemplateSync> {
    const { phoneNumberId, businessAccountId } = this.providers.live.requireConfigured();
    const { id: accountId } = await this.accounts.operatorAccount(phoneNumberId, businessAccountId);
    const beganAt = await this.templates.now();
    const found = new Map<string, UpstreamTemplate>();
    const keep = (templates: readonly UpstreamTemplate[]): number => {
      const before = found.size;
      for (const template of templates) found.set(`${template.name} ${template.language}`, template);
      return found.size - before;
    };
    const owned = new Set(await this.templates.ownedNamesAcrossTenants(accountId));
    let unusable = 0;
    let after: string | null = null;
    let pages = 0;
    do {
      const page = await this.providers.live.listTemplates(after);
      keep(page.templates);
      unusable += page.unusable;
      // Also includes templates that were created during the read.
      for (const name of await this.templates.ownedNamesAcrossTenants(accountId)) owned.add(name);
      after = page.next === after ? null : page.next;
      pages += 1;
    } while (after !== null && pages < MAX_PAGES);
    const isWhole = after === null;
    if (!isWhole) this.log.warn({ pages }, 'the template catalog has more pages than can be read');

    const missing = isWhole
      ? await this.templates.missingNamesAcrossTenants(accountId, beganAt, [...found.values()])
      : [];
    for (const name of missing.slice(0, MAX_LOOKUPS)) {
      const { templates } = await this.providers.live.listTemplates(null, name);
      keep(templates.filter((template) => template.name === name));
    }
    const { inserted, updated } = await this.templates.mirror({
      accountId,
      beganAt,
      templates: [...found.values()],
      ownedNames: [...owned],
      keptNames: missing.slice(MAX_LOOKUPS),
      isWhole,
    });
    const fetched = found.size + unusable;
    return { ok: true, fetched, inserted, updated, skipped: fetched - inserted - updated };
  }
}
