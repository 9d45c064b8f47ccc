import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '@heliograph/auth';
import { clientOf } from '@heliograph/database';
import { TenancyService, Workspace } from '@heliograph/tenancy';
import {
  InvitationsService,
  MembersService,
  UsersService,
  type AddressProof,
  type Discarded,
  type User,
} from '@heliograph/users';
import { DeliveriesRepository, Subscription } from '@heliograph/webhooks';
import type { EntityManager } from 'typeorm';

/**
 * Accounts whose email address is not verified. Anyone can register any address, so nothing that was created with such an
 * account may remain when the owner of the address takes it over.
 */
@Injectable()
export class UnverifiedAccounts {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly keys: ApiKeysService,
    private readonly tenancy: TenancyService,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /**
   * Deletes the user of a registration if its address is not verified, and locks the workspaces of its organization, which
   * then has no members. Null if the address is verified.
   */
  async discard(transaction: EntityManager, user: User, correlationId: string | null): Promise<Discarded | null> {
    if (!(await this.users.lockUnverified(transaction, user))) return null;
    for (const organizationId of await this.members.foundedBy(transaction, user.id)) {
      await this.strip(transaction, organizationId, user.id, correlationId);
      for (const { id } of await transaction.findBy(Workspace, { organizationId })) {
        await this.tenancy.updateWorkspace(transaction, organizationId, id, { status: 'locked' }, correlationId);
      }
    }
    return this.users.discard(transaction, user);
  }

  /** After the first proof of the address: removes everything that gives others access to the organization of the user. */
  async takeOver(
    transaction: EntityManager,
    { user, isFirst }: AddressProof,
    correlationId: string | null,
  ): Promise<void> {
    if (!isFirst) return;
    for (const organizationId of await this.members.foundedBy(transaction, user.id)) {
      await this.strip(transaction, organizationId, user.id, correlationId);
    }
  }

  /** Removes the API keys, invitations, webhooks and other members of an organization. */
  private async strip(
    transaction: EntityManager,
    organizationId: string,
    userId: string,
    correlationId: string | null,
  ): Promise<void> {
    await this.keys.revokeAll(transaction, organizationId, correlationId);
    await this.invitations.revokeAll(transaction, organizationId);
    await this.members.removeOthers(transaction, organizationId, userId);
    for (const { id } of await transaction.findBy(Subscription, { organizationId })) {
      await transaction.delete(Subscription, id);
      await this.deliveries.endPending(await clientOf(transaction), id);
    }
  }
}
