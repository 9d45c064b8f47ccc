import { Inject, Injectable } from '@nestjs/common';
import { compileAllowlist, isAllowed } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { TenancyService } from '@heliograph/tenancy';
import { Writes, type WriteCall } from '../writes/writes.service';
import type { Allowlist, ReplaceAllowlistRequest } from './allowlist.dto';
import { normalizeEntry } from './normalize-entry';

/** From where an organization's keys may be used. */
@Injectable()
export class AllowlistService {
  constructor(
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  /** The caches of all services hear of it by the change feed. Throws WOULD_LOCK_YOU_OUT. */
  replace(call: WriteCall, organizationId: string, asked: ReplaceAllowlistRequest): Promise<Allowlist> {
    const entries = [...new Set(asked.entries.flatMap((entry) => normalizeEntry(entry) ?? []))];
    const { ipAddress } = call.actor;
    return this.writes.run(call, async ({ transaction, record }) => {
      if (!asked.force && !isAllowed(compileAllowlist(entries), ipAddress ?? undefined)) {
        throw new AppError(
          'WOULD_LOCK_YOU_OUT',
          `Your own address ${ipAddress ?? ''} is not on this list. Add it, or send "force": true.`,
        );
      }
      const { before, after } = await this.tenancy.updateOrganization(transaction, organizationId, {
        ipAllowlist: entries,
      });
      await record({
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
