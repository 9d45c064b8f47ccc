import { Injectable } from '@nestjs/common';
import { compileAllowlist, isAllowed } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { TenancyService, UnitOfWork, type Write } from '@heliograph/tenancy';
import type { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { normalizeEntry } from './normalize-entry';
import { OrganizationService } from './organization.service';

/** Manages the IP allow-list for the API keys of an organization. */
@Injectable()
export class AllowlistService {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly tenancy: TenancyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(organizationId: string): Promise<Allowlist> {
    return { entries: (await this.organizations.organization(organizationId)).ipAllowlist };
  }

  /** Replaces the list. The change feed invalidates the caches of all services. Throws WOULD_LOCK_YOU_OUT. */
  replace(write: Write, organizationId: string, body: ReplaceAllowlistRequest): Promise<Allowlist> {
    const ipAllowlist = [...new Set(body.entries.flatMap((entry) => normalizeEntry(entry) ?? []))];
    const { ipAddress } = write.actor;
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      if (!body.force && !isAllowed(compileAllowlist(ipAllowlist), ipAddress ?? undefined)) {
        throw new AppError(
          'WOULD_LOCK_YOU_OUT',
          `Your address ${ipAddress ?? ''} is not on this list. Add it, or send "force": true.`,
        );
      }
      const changed = await this.tenancy.updateOrganization(transaction, organizationId, { ipAllowlist });
      const after = { entries: changed.after.ipAllowlist };
      await audit({
        organizationId,
        action: 'allowlist.replaced',
        target: { type: 'organization', id: organizationId },
        before: { entries: changed.before.ipAllowlist },
        after,
      });
      return after;
    });
  }
}
