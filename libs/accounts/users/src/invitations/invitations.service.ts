import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Role } from '@heliograph/contracts';
import { isId, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Changed } from '@heliograph/tenancy';
import { hashToken, newToken } from '@heliograph/secrets';
import { IsNull, LessThan, Repository, type EntityManager } from 'typeorm';
import { checkUserAddress } from '../email-address';
import { countInvitationMail } from './invitation-limits';
import { Invitation } from '../member.entity';
import { MembersService } from '../members.service';
import type { User } from '../user.entity';
import { UsersService } from '../users.service';

const VALID_DAYS = 7;

export interface NewInvitation {
  email: string;
  role: Role;
  /** Names for the email. */
  invitedBy: string;
}

/** Manages invitations to organizations. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly users: UsersService,
    private readonly members: MembersService,
  ) {}

  /**
   * Returns the token for the email, which cannot be retrieved later. Replaces an open invitation of the same
   * address. Throws VALIDATION_ERROR, ALREADY_MEMBER, RATE_LIMITED.
   */
  async invite(
    transaction: EntityManager,
    organizationId: string,
    { email, role, invitedBy }: NewInvitation,
  ): Promise<{ invitation: Invitation; token: string }> {
    const address = checkUserAddress(email);
    const user = await this.users.byEmail(email, transaction);
    const memberships = user ? await this.members.membershipsOf(user.id, transaction) : [];
    if (memberships.some((member) => member.organizationId === organizationId)) {
      throw new AppError('ALREADY_MEMBER', `${address} is already a member. Change the role of the member instead.`);
    }
    const repository = transaction.getRepository(Invitation);
    await repository.update(
      { organizationId, email: address, acceptedAt: IsNull(), revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    await countInvitationMail(transaction, organizationId, address, false);
    const token = newToken();
    const invitation = repository.create({
      id: newId(),
      organizationId,
      email: address,
      role,
      tokenHash: hashToken(token),
      invitedBy,
      createdAt: new Date(),
      expiresAt: expiry(),
      acceptedAt: null,
      revokedAt: null,
    });
    await repository.insert(invitation);
    return { invitation, token };
  }

  /** Returns a new token; the previous one becomes invalid. Throws NOT_FOUND, STATE_CONFLICT, RATE_LIMITED. */
  async renew(
    transaction: EntityManager,
    organizationId: string,
    id: string,
  ): Promise<Changed<Invitation> & { token: string }> {
    const before = await this.openOne(transaction, organizationId, id);
    await countInvitationMail(transaction, organizationId, before.email, true);
    const token = newToken();
    const after = { ...before, tokenHash: hashToken(token), expiresAt: expiry() };
    await transaction.getRepository(Invitation).save(after);
    return { before, after, token };
  }

  /** Throws NOT_FOUND, STATE_CONFLICT. */
  async revoke(transaction: EntityManager, organizationId: string, id: string): Promise<Changed<Invitation>> {
    const before = await this.openOne(transaction, organizationId, id);
    const after = { ...before, revokedAt: new Date() };
    await transaction.getRepository(Invitation).save(after);
    return { before, after };
  }

  /** Revokes all open invitations of an organization. */
  async revokeAll(transaction: EntityManager, organizationId: string): Promise<void> {
    const open = { organizationId, acceptedAt: IsNull(), revokedAt: IsNull() };
    await transaction.getRepository(Invitation).update(open, { revokedAt: new Date() });
  }

  /** Newest first, including accepted and revoked invitations. */
  async list(organizationId: string, page: Page): Promise<PageOf<Invitation>> {
    const invitations = await this.invitations.find({
      where: { organizationId, ...(page.after === null ? {} : { id: LessThan(page.after) }) },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return toPage(invitations, page, ({ id }) => id);
  }

  /** Throws NOT_FOUND. */
  async invitationOf(organizationId: string, id: string): Promise<Invitation> {
    const found = isId(id) ? await this.invitations.findOneBy({ organizationId, id }) : null;
    if (!found) throw noSuch();
    return found;
  }

  /**
   * Finds an invitation by its token. The token is the credential, so the query is not restricted to an organization.
   * Throws NOT_FOUND.
   */
  async byTokenAcrossTenants(
    token: string,
    manager: EntityManager = this.invitations.manager,
    lock = false,
  ): Promise<Invitation> {
    const invitation = await manager.getRepository(Invitation).findOne({
      where: { tokenHash: hashToken(token), acceptedAt: IsNull(), revokedAt: IsNull() },
      ...(lock ? { lock: { mode: 'pessimistic_write' } } : {}),
    });
    if (!invitation || invitation.expiresAt <= new Date()) {
      throw new AppError('NOT_FOUND', 'The invitation is no longer valid. Ask for a new one.');
    }
    return invitation;
  }

  /** Adds the authenticated user as a member. Throws NOT_FOUND. */
  async accept(transaction: EntityManager, token: string, user: User): Promise<Invitation> {
    const invitation = await this.byTokenAcrossTenants(token, transaction, true);
    const { organizationId, role } = invitation;
    // A user who became a member in the meantime keeps that role.
    await this.members.join(transaction, organizationId, user.id, role);
    invitation.acceptedAt = new Date();
    await transaction.getRepository(Invitation).save(invitation);
    return invitation;
  }

  private async openOne(transaction: EntityManager, organizationId: string, id: string): Promise<Invitation> {
    const found = isId(id)
      ? await transaction
          .getRepository(Invitation)
          .findOne({ where: { organizationId, id }, lock: { mode: 'pessimistic_write' } })
      : null;
    if (!found) throw noSuch();
    if (found.acceptedAt || found.revokedAt) {
      throw new AppError('STATE_CONFLICT', 'The invitation was already accepted or revoked.');
    }
    return found;
  }
}

function expiry(): Date {
  return new Date(Date.now() + VALID_DAYS * 24 * 3_600_000);
}

function noSuch(): AppError {
  return new AppError('NOT_FOUND', 'Invitation not found in this organization.');
}
