import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { DataSource, type EntityManager } from 'typeorm';
import { Organization } from './organization.entity';
import { Workspace, type WorkspaceStatus } from './workspace.entity';

export interface OrganizationDetails {
  slug: string;
  name: string;
  ipAllowlist: string[];
}

export interface WorkspaceDetails {
  slug: string;
  displayName: string;
  plan: string;
  status: WorkspaceStatus;
  billingCustomer: string | null;
}

/** Writes organizations and workspaces. Each is found by its slug: there, it is updated; not there, it is made. */
@Injectable()
export class TenancyService {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async putOrganization(
    details: OrganizationDetails,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<Organization> {
    const repository = transaction.getRepository(Organization);
    const existing = await repository.findOneBy({ slug: details.slug });
    return repository.save(repository.create({ ...(existing ?? { id: newId() }), ...details }));
  }

  /** Throws when the slug belongs to another organization. */
  async putWorkspace(
    organizationId: string,
    details: WorkspaceDetails,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<Workspace> {
    const repository = transaction.getRepository(Workspace);
    const existing = await repository.findOneBy({ slug: details.slug });
    if (existing && existing.organizationId !== organizationId) {
      throw new Error(`workspace ${details.slug} belongs to another organization; choose another slug`);
    }
    return repository.save(repository.create({ ...(existing ?? { id: newId(), organizationId }), ...details }));
  }
}
