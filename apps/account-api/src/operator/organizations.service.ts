import { Injectable } from '@nestjs/common';
import { toPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService, AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { MembersService, UsersService } from '@heliograph/users';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { KeyManagementService } from '../developer/api-keys/key-management.service';
import type { NewKey } from '../developer/api-keys/api-keys.dto';
import type { PageQuery } from '../http/page.query';
import { OrganizationService } from '../identity/organization/organization.service';
import { UnverifiedAccounts } from '../identity/unverified-accounts/unverified-accounts.service';
import {
  OneOrganizationAnswer,
  OrganizationAnswer,
  OrganizationList,
  type AddUserRequest,
  type CreateOrganizationRequest,
  type OneAddedUser,
  type OperatorKeyRequest,
} from './operator.dto';

const CREATED = {
  kind: new AuditedKind<Organization>('organization', ({ id }) => ({ id, organizationId: id }), OrganizationAnswer.of),
  done: 'created',
  answer: OneOrganizationAnswer.of,
};

/** Organization management by the operator, including actions that organizations cannot perform themselves. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly organizations: OrganizationService,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly keys: KeyManagementService,
    private readonly accounts: UnverifiedAccounts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The live organizations. */
  async listAcrossTenants(query: PageQuery): Promise<OrganizationList> {
    const page = pageOf(query);
    const organizations = await this.dataSource.getRepository(Organization).find({
      where: { testOf: IsNull(), ...(page.after === null ? {} : { id: MoreThan(page.after) }) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return OrganizationList.of(toPage(organizations, page, ({ id }) => id));
  }

  /** Throws NOT_FOUND. */
  async get(id: string): Promise<OneOrganizationAnswer> {
    return OneOrganizationAnswer.of(await this.organizations.organization(id));
  }

  create(write: Write, { slug, name }: CreateOrganizationRequest): Promise<OneOrganizationAnswer> {
    return this.unitOfWork.change(write, CREATED, async (transaction) => ({
      after: await this.tenancy.createOrganization(transaction, { slug, name, ipAllowlist: [] }),
    }));
  }

  /**
   * Adds a member. The name and password of an existing user are not changed. A registration whose address is not verified
   * is replaced, because anyone may have made it; the address of the new user counts as verified. Throws NOT_FOUND, ALREADY_MEMBER,
   * VALIDATION_ERROR.
   */
  addUser(write: Write, organizationId: string, body: AddUserRequest): Promise<OneAddedUser> {
    return this.unitOfWork.once(write, async () => {
      await this.organizations.organization(organizationId);
      const { email, role, name = '', password = '' } = body;
      const found = await this.users.byEmail(email);
      const existing = found?.emailVerifiedAt ? found : null;
      const user = existing ?? (await this.users.prepare({ email, name, password }));
      return this.unitOfWork.run(write, async ({ transaction, audit }) => {
        if (found && !existing) await this.accounts.discard(transaction, found, write.actor.requestId);
        if (!existing) await this.users.insert(transaction, user);
        const memberships = existing ? await this.members.membershipsOf(user.id) : [];
        if (memberships.some((member) => member.organizationId === organizationId)) {
          throw new AppError('ALREADY_MEMBER', `${user.email} is already a member of the organization.`);
        }
        await this.members.put(transaction, organizationId, user.id, role);
        const member = { userId: user.id, email: user.email, name: user.name, role };
        await audit({
          organizationId,
          action: 'member.added',
          target: { type: 'member', id: user.id },
          before: null,
          after: member,
        });
        return { member };
      });
    });
  }

  /** Throws NOT_FOUND, NAME_TAKEN, VALIDATION_ERROR. */
  createKey(write: Write, { organizationId, ...body }: OperatorKeyRequest): Promise<NewKey> {
    return this.unitOfWork.once(write, async () => {
      if (organizationId !== null) await this.organizations.organization(organizationId);
      return this.keys.createIn(write, organizationId, body);
    });
  }
}
