import type { Category } from '@heliograph/chatapp-catalog';
import type { Pool } from 'pg';

/** How an organization stands with a number at this moment. */
export interface NumberStanding {
  /** When the number wrote last; null while its window is closed. */
  lastInboundAt: Date | null;
  /** Until when anything but templates may be sent; null: not now. */
  openUntil: Date | null;
  isOptedOut: boolean;
}

/**
 * What a send to the number would meet: the window of the number as the platform knows it, and the organization's
 * consent under either number. When a number wrote whose window has closed is told to nobody: it was for anybody.
 */
export async function numberStanding(
  pool: Pool,
  { accountId, organizationId, number }: { accountId: string; organizationId: string; number: string },
): Promise<NumberStanding> {
  const { rows } = await pool.query<NumberStanding>(
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
  /** Free messages that count against a limit; a category without any is not there. */
  used: ReadonlyMap<Category, number>;
}

/** What a workspace has had free this month. */
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
