import { Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { OrganizationRecord, type ChangeOrganizationRequest } from './organization.dto';

/** Reads and renames an organization. */
@Injectable()
export class OrganizationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws NOT_FOUND. */
  async get(id: string): Promise<Organization> {
    const organization = await this.dataSource.getRepository(Organization).findOneBy({ id });
    if (!organization) throw new AppError('NOT_FOUND', 'Organization not found.');
    return organization;
  }

  update(write: WriteRequest, id: string, { name }: ChangeOrganizationRequest): Promise<OrganizationRecord> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const changes = name === undefined ? {} : { name };
      const { before, after } = await this.tenancy.updateOrganization(transaction, id, changes);
      const changed = OrganizationRecord.of(after);
      await audit({
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
