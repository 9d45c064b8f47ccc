import { Injectable } from '@nestjs/common';
import { given, isId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService, AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { OneOrganization, OrganizationRecord, type ChangeOrganizationRequest } from './organization.dto';

const RENAMED = {
  kind: new AuditedKind<Organization>('organization', ({ id }) => ({ id, organizationId: id }), OrganizationRecord.of),
  done: 'changed',
  answer: OneOrganization.of,
};

/** Reads and renames an organization. */
@Injectable()
export class OrganizationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws NOT_FOUND. */
  async organization(id: string, manager: EntityManager = this.dataSource.manager): Promise<Organization> {
    const organization = isId(id) ? await manager.getRepository(Organization).findOneBy({ id }) : null;
    if (!organization) throw new AppError('NOT_FOUND', 'Organization not found. It may have been deleted.');
    return organization;
  }

  async get(id: string): Promise<OneOrganization> {
    return OneOrganization.of(await this.organization(id));
  }

  update(write: Write, id: string, { name }: ChangeOrganizationRequest): Promise<OneOrganization> {
    return this.unitOfWork.change(write, RENAMED, (transaction) =>
      this.tenancy.updateOrganization(transaction, id, given({ name })),
    );
  }
}
