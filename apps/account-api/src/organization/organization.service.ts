import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { Writes, type WriteCall } from '../writes/writes.service';
import { OrganizationRecord, type ChangeOrganizationRequest } from './organization.dto';

/** The organization itself. */
@Injectable()
export class OrganizationService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  /** Throws NOT_FOUND. */
  async one(id: string): Promise<Organization> {
    const organization = await this.dataSource.getRepository(Organization).findOneBy({ id });
    if (!organization) throw new AppError('NOT_FOUND', 'There is no such organization.');
    return organization;
  }

  change(call: WriteCall, id: string, { name }: ChangeOrganizationRequest): Promise<OrganizationRecord> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const changes = name === undefined ? {} : { name };
      const { before, after } = await this.tenancy.updateOrganization(transaction, id, changes);
      const changed = OrganizationRecord.of(after);
      await record({
        organizationId: id,
        action: 'organization.changed',
        target: { type: 'organization', id },
        before: OrganizationRecord.of(before),
        after: changed,
      });
      return changed;
    });
  }
}
