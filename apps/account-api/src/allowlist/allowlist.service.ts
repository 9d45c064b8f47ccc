import { Injectable } from '@nestjs/common';
import { compileAllowlist, isAllowed } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { TenancyService } from '@heliograph/tenancy';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import type { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { normalizeEntry } from './normalize-entry';

/** IP allow-list for the API keys of an organization. */
@Injectable()
export class AllowlistService {
  constructor(
    private readonly tenancy: TenancyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The change feed invalidates the caches of all services. Throws WOULD_LOCK_YOU_OUT. */
  replace(write: WriteRequest, organizationId: string, body: ReplaceAllowlistRequest): Promise<Allowlist> {
    const entries = [...new Set(body.entries.flatMap((entry) => normalizeEntry(entry) ?? []))];
    const { ipAddress } = write.actor;
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      if (!body.force && !isAllowed(compileAllowlist(entries), ipAddress ?? undefined)) {
        throw new AppError(
          'WOULD_LOCK_YOU_OUT',
          `Your address ${ipAddress ?? ''} is not on this list. Add it, or send "force": true.`,
        );
      }
      const { before, after } = await this.tenancy.updateOrganization(transaction, organizationId, {
        ipAllowlist: entries,
      });
      await audit({
        organizationId,
        action: 'allowlist.replaced',
        target: { type: 'organization', id: organizationId },
        before: { entries: before.ipAllowlist },
        after: { entries: after.ipAllowlist },
      });
      return { entries: after.ipAllowlist };
    });
  }
}
