import { Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import { testIdOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { hashToken } from '@heliograph/secrets';
import { Pool } from 'pg';
import { compileAllowlist } from './ip-allowlist';
import type { Mode } from './mode';
import type { Principal } from './principal';

interface TokenRow {
  user_id: string;
  email: string;
  is_verified: boolean;
  organization_id: string | null;
  role: Role | null;
  ip_allowlist: string[] | null;
  expires_at: Date;
  created_at: Date;
}

/** `t`: the credential with its expiry; `s`: the session to which it belongs. */
const FROM_CREDENTIAL = {
  token: `users.access_tokens AS t
             JOIN users.sessions AS s ON s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()`,
  cookie: `users.sessions AS t
             JOIN users.sessions AS s ON s.id = t.id AND t.revoked_at IS NULL`,
} as const;

/** Where the credential of a user comes from: an access token, or the session cookie of a browser. */
export type UserCredentialKind = keyof typeof FROM_CREDENTIAL;

/**
 * Finds the users of access tokens and session cookies, with their role in the current organization of the login, or in the one
 * that they joined first. Not cached, so that the credential of an ended login is rejected immediately.
 */
@Injectable()
export class UserDirectory {
  constructor(private readonly pool: Pool) {}

  /**
   * Null for a credential that is unknown or expired, or whose login has ended. In test mode, the principal belongs to the test
   * twin of the organization. Throws FORBIDDEN if it has none yet.
   */
  async find(kind: UserCredentialKind, token: string, mode: Mode): Promise<Principal | null> {
    const principal = await this.read(kind, token);
    if (!principal?.organizationId || mode === 'live') return principal;
    const organizationId = testIdOf(principal.organizationId);
    const { rowCount } = await this.pool.query('SELECT FROM tenancy.organizations WHERE id = $1', [organizationId]);
    if (rowCount === 1) return { ...principal, organizationId };
    throw new AppError(
      'FORBIDDEN',
      'The test mode of the organization is not in use yet. Call GET /api/workspaces with the header "Heliograph-Mode: test" once.',
    );
  }

  private async read(kind: UserCredentialKind, token: string): Promise<Principal | null> {
    const { rows } = await this.pool.query<TokenRow>({
      name: `user-of-${kind}`,
      text: `SELECT u.id AS user_id, u.email, u.email_verified_at IS NOT NULL AS is_verified, m.organization_id, m.role,
               o.ip_allowlist, t.expires_at, s.created_at
             FROM ${FROM_CREDENTIAL[kind]}
             JOIN users.users AS u ON u.id = s.user_id
             LEFT JOIN LATERAL (
               SELECT * FROM users.members WHERE user_id = u.id
               ORDER BY (organization_id = s.organization_id) IS TRUE DESC, created_at, organization_id LIMIT 1) AS m ON true
             LEFT JOIN tenancy.organizations AS o ON o.id = m.organization_id
             WHERE t.token_hash = $1 AND t.expires_at > now()`,
      values: [hashToken(token)],
    });
    const [row] = rows;
    if (!row) return null;
    return {
      keyId: null,
      user: { id: row.user_id, isVerified: row.is_verified },
      name: row.email,
      organizationId: row.organization_id,
      workspaceId: null,
      scopes: new Set(),
      role: row.role ?? 'viewer',
      expiresAt: row.expires_at,
      revokedAt: null,
      createdAt: row.created_at,
      allowedAddresses: row.ip_allowlist ? compileAllowlist(row.ip_allowlist) : null,
    };
  }
}
