import type { Category } from '@heliograph/chatapp-catalog';
import type { Pool } from 'pg';

/** State of the conversation between an organization and a number. */
export interface ConversationState {
  /** Timestamp of the last inbound message; null while the window is closed. */
  lastInboundAt: Date | null;
  /** End of the window in which messages other than templates are allowed; null while it is closed. */
  openUntil: Date | null;
  isOptedOut: boolean;
}

/**
 * Reads the window of the number, resolved through its alias, and the organization's consent under either number.
 * Returns no inbound timestamp of a closed window, because that message may have been for another organization.
 */
export async function readConversationState(
  pool: Pool,
  { accountId, organizationId, number }: { accountId: string; organizationId: string; number: string },
): Promise<ConversationState> {
  const { rows } = await pool.query<ConversationState>(
    `SELECT w.last_inbound_at AS "lastInboundAt", w.last_inbound_at + interval '24 hours' AS "openUntil",
       EXISTS (
         SELECT FROM chatapp.consents AS c
         WHERE c.organization_id = $2 AND c.number IN (r.number, l.upstream_number) AND c.status = 'opted_out'
       ) AS "isOptedOut"
     FROM (SELECT $1::uuid AS account_id, $3::text AS number) AS r
     LEFT JOIN chatapp.number_aliases AS l ON l.account_id = r.account_id AND l.number = r.number
     LEFT JOIN chatapp.numbers AS w
       ON w.account_id = r.account_id AND w.number = coalesce(l.upstream_number, r.number)
         AND w.last_inbound_at > now() - interval '24 hours'`,
    [accountId, organizationId, number],
  );
  return rows[0] ?? { lastInboundAt: null, openUntil: null, isOptedOut: false };
}

export interface AllowanceUses {
  /** The calendar month (UTC), such as 2026-11. */
  month: string;
  /** Free messages that count against a limit; categories without any are absent. */
  used: ReadonlyMap<Category, number>;
}

/** Free messages that a workspace has used in the current month. */
export async function allowanceUsesOf(pool: Pool, workspaceId: string): Promise<AllowanceUses> {
  const { rows } = await pool.query<{ month: string; category: Category | null; used: number }>(
    `SELECT to_char(m.month, 'YYYY-MM') AS month, u.category, u.used
     FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) AS m
     LEFT JOIN chatapp.allowance_uses AS u ON u.workspace_id = $1 AND u.month = m.month`,
    [workspaceId],
  );
  const used = rows.flatMap(({ category, used: count }): [Category, number][] =>
    category === null ? [] : [[category, count]],
  );
  return { month: rows[0]?.month ?? '', used: new Map(used) };
}
