import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Role } from '@heliograph/contracts';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import { MoreThan, Not, Repository, type EntityManager } from 'typeorm';
import { Member } from './member.entity';
import type { User } from './user.entity';

/** A membership with its user. */
export type NamedMember = Member & { user: User };

/** Manages the members of organizations. Every organization has at least one owner. */
@Injectable()
export class MembersService {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  /** The organizations of a user, sorted by joining time. */
  membershipsOf(userId: string, manager: EntityManager = this.members.manager): Promise<Member[]> {
    return manager
      .getRepository(Member)
      .find({ where: { userId }, order: { createdAt: 'ASC', organizationId: 'ASC' } });
  }

  /** The organizations whose first member is this user, who is an owner: those that the registration of the user created. */
  async foundedBy(transaction: EntityManager, userId: string): Promise<string[]> {
    const rows = await transaction.query<{ organization_id: string }[]>(
      `SELECT m.organization_id FROM users.members AS m
       WHERE m.user_id = $1 AND m.role = 'owner' AND NOT EXISTS (
         SELECT FROM users.members AS earlier
         WHERE earlier.organization_id = m.organization_id
           AND (earlier.created_at, earlier.user_id) < (m.created_at, m.user_id))`,
      [userId],
    );
    return rows.map(({ organization_id: id }) => id);
  }

  /** Removes all members except the given one. */
  async removeOthers(transaction: EntityManager, organizationId: string, keepUserId: string): Promise<void> {
    await transaction.getRepository(Member).delete({ organizationId, userId: Not(keepUserId) });
  }

  async list(organizationId: string, page: Page): Promise<PageOf<NamedMember>> {
    const members = await this.members.find({
      where: { organizationId, ...(page.after === null ? {} : { userId: MoreThan(page.after) }) },
      relations: { user: true },
      order: { userId: 'ASC' },
      take: page.limit + 1,
    });
    return toPage(members.filter(isNamed), page, ({ userId }) => userId);
  }

  /** Throws NOT_FOUND. */
  async memberOf(
    organizationId: string,
    userId: string,
    manager: EntityManager = this.members.manager,
  ): Promise<NamedMember> {
    const member = isId(userId)
      ? await manager.getRepository(Member).findOne({ where: { organizationId, userId }, relations: { user: true } })
      : null;
    if (!member || !isNamed(member)) throw new AppError('NOT_FOUND', 'Member not found in this organization.');
    return member;
  }

  /** Adds a member, or changes the role of an existing one. */
  async put(transaction: EntityManager, organizationId: string, userId: string, role: Role): Promise<void> {
    await transaction.getRepository(Member).upsert({ organizationId, userId, role }, ['organizationId', 'userId']);
  }

  /** Adds a member; an existing member keeps the role. */
  async join(transaction: EntityManager, organizationId: string, userId: string, role: Role): Promise<void> {
    await transaction
      .createQueryBuilder()
      .insert()
      .into(Member)
      .values({ organizationId, userId, role })
      .orIgnore()
      .execute();
  }

  /** Throws NOT_FOUND, LAST_OWNER. */
  async changeRole(
    transaction: EntityManager,
    organizationId: string,
    userId: string,
    role: Role,
  ): Promise<{ before: NamedMember; after: NamedMember }> {
    await this.lockOwners(transaction, organizationId);
    const before = await this.memberOf(organizationId, userId, transaction);
    if (role !== 'owner') await this.refuseLastOwner(transaction, before);
    await transaction.getRepository(Member).update({ organizationId, userId }, { role });
    return { before, after: { ...before, role } };
  }

  /** Throws NOT_FOUND, LAST_OWNER. */
  async remove(transaction: EntityManager, organizationId: string, userId: string): Promise<NamedMember> {
    await this.lockOwners(transaction, organizationId);
    const member = await this.memberOf(organizationId, userId, transaction);
    await this.refuseLastOwner(transaction, member);
    await transaction.getRepository(Member).delete({ organizationId, userId });
    return member;
  }

  /** Serializes concurrent removals of owners. */
  private async lockOwners(transaction: EntityManager, organizationId: string): Promise<void> {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7236100419))', [organizationId]);
  }

  private async refuseLastOwner(transaction: EntityManager, { organizationId, role }: Member): Promise<void> {
    if (role !== 'owner') return;
    if ((await transaction.getRepository(Member).countBy({ organizationId, role: 'owner' })) > 1) return;
    throw new AppError('LAST_OWNER', 'An organization needs at least one owner. Assign another owner first.');
  }
}

function isNamed(member: Member): member is NamedMember {
  return member.user !== undefined;
}

/** Recipients of emails of an organization: its owners whose address is verified. */
export async function ownerEmails(database: ClientBase | Pool, organizationId: string): Promise<string[]> {
  const { rows } = await database.query<{ email: string }>(
    `SELECT u.email FROM users.members AS m JOIN users.users AS u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.role = 'owner' AND u.email_verified_at IS NOT NULL
     ORDER BY m.created_at, u.id`,
    [organizationId],
  );
  return rows.map(({ email }) => email);
}
