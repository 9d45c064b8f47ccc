import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isId, newId } from '@heliograph/database';
import { Periodic } from '@heliograph/service-kit';
import { hashToken, newToken } from '@heliograph/secrets';
import { Pool } from 'pg';
import { IsNull, MoreThan, Repository, type EntityManager } from 'typeorm';
import { Session } from './session.entity';
import type { User } from '../user.entity';

export const SESSION_DAYS = 7;
/** Lifetime of a device token. */
export const DEVICE_DAYS = 180;
const CLEAN_UP_EVERY_MS = 10 * 60_000;
const MAX_USER_AGENT_LENGTH = 500;

/** Origin of a login. */
export interface Origin {
  ipAddress: string | null;
  userAgent: string | null;
}

export type LiveSession = Session & { user: User };

/** Creates, finds and ends sessions. Lookups are not cached, so that ended sessions are rejected immediately. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly pool: Pool,
  ) {}

  /** The token is for the cookie and cannot be retrieved later. */
  async open(
    transaction: EntityManager,
    user: User,
    from: Origin,
    organizationId: string | null,
    lifetimeSeconds = SESSION_DAYS * 24 * 3_600,
  ): Promise<{ session: Session; token: string }> {
    const repository = transaction.getRepository(Session);
    const token = newToken();
    const now = Date.now();
    const session = repository.create({
      id: newId(),
      userId: user.id,
      tokenHash: hashToken(token),
      organizationId,
      workspaceId: null,
      ipAddress: from.ipAddress,
      userAgent: from.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
      createdAt: new Date(now),
      expiresAt: new Date(now + lifetimeSeconds * 1_000),
      revokedAt: null,
    });
    await repository.insert(session);
    return { session, token };
  }

  /** Null for a token that is unknown, expired or revoked. */
  async find(token: string): Promise<LiveSession | null> {
    const session = await this.sessions.findOne({
      where: { tokenHash: hashToken(token), revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      relations: { user: true },
    });
    return session?.user ? { ...session, user: session.user } : null;
  }

  async revokeToken(manager: EntityManager, token: string): Promise<void> {
    const revokedAt = new Date();
    await manager.getRepository(Session).update({ tokenHash: hashToken(token), revokedAt: IsNull() }, { revokedAt });
  }

  /** Returns whether the user had such a session. */
  async revoke(userId: string, id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const criteria = { id, userId, revokedAt: IsNull() };
    const { affected } = await this.sessions.update(criteria, { revokedAt: new Date() });
    return (affected ?? 0) > 0;
  }

  /** Valid sessions, newest first. */
  list(userId: string): Promise<Session[]> {
    return this.sessions.find({
      where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      order: { id: 'DESC' },
      take: 100,
    });
  }

  /** Switches the current organization and workspace of the session. */
  async switchTo(id: string, organizationId: string, workspaceId: string | null): Promise<void> {
    await this.sessions.update(id, { organizationId, workspaceId });
  }

  /** Deletes what has expired: sessions, tokens, devices, resets, verifications, counted failures and invitation emails. */
  @Periodic({ everyMs: CLEAN_UP_EVERY_MS })
  async cleanUp(): Promise<void> {
    const { pool } = this;
    await pool.query(
      `DELETE FROM users.sessions WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM users.sessions WHERE expires_at < now() - interval '7 days' LIMIT 10000))`,
    );
    await pool.query('DELETE FROM users.login_failures WHERE ends_at < now()');
    await pool.query("DELETE FROM users.invitation_mails WHERE sent_at < now() - interval '1 day'");
    await pool.query('DELETE FROM users.password_resets WHERE expires_at < now()');
    await pool.query('DELETE FROM users.email_verifications WHERE expires_at < now()');
    await pool.query('DELETE FROM users.access_tokens WHERE expires_at < now()');
    await pool.query('DELETE FROM users.refresh_tokens WHERE expires_at < now()');
    await pool.query(`DELETE FROM users.devices WHERE created_at < now() - interval '${DEVICE_DAYS} days'`);
  }
}
