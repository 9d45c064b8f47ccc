import type { Category } from '@heliograph/chatapp-catalog';
import { inOrder } from '@heliograph/database';
import type { Pool, PoolClient } from 'pg';

/** Messages other than templates are allowed for this time after an inbound message. */
const WINDOW_MS = 24 * 60 * 60_000;

/** The conversation of an organization with a number. */
export interface ConversationName {
  accountId: string;
  organizationId: string;
  number: string;
}

/** What `chatapp.conversations_of` returns. */
export interface RecordedConversation {
  upstream_number: string | null;
  last_inbound_at: Date | null;
  /** Under the number and under the number as the provider knows it. */
  consents: string[];
  read_at: Date;
}

/** State of the conversation between an organization and a number. */
export interface ConversationState {
  /** The number as the provider knows it; null if it is the same. */
  upstreamNumber: string | null;
  /** Timestamp of the last inbound message; null while the window is closed. */
  lastInboundAt: Date | null;
  /** End of the window in which messages other than templates are allowed; null while it is closed. */
  openUntil: Date | null;
  isOptedOut: boolean;
  readAt: Date;
}

/** The states have the order of the conversations. */
export async function readConversationStates(
  pool: Pool | PoolClient,
  conversations: readonly ConversationName[],
): Promise<ConversationState[]> {
  const batch = conversations.map(({ accountId, organizationId, number }, ord) => ({
    ord,
    account_id: accountId,
    organization_id: organizationId,
    number,
  }));
  const { rows } = await pool.query<RecordedConversation & { ord: number }>({
    name: 'chatapp-conversations-of',
    text: 'SELECT ord, upstream_number, last_inbound_at, consents, read_at FROM chatapp.conversations_of($1)',
    values: [JSON.stringify(batch)],
  });
  return inOrder(batch.length, rows).map(stateOf);
}

export async function readConversationState(pool: Pool, conversation: ConversationName): Promise<ConversationState> {
  const [state] = await readConversationStates(pool, [conversation]);
  if (!state) throw new Error('the conversation has no state');
  return state;
}

/**
 * The window of the number, resolved through its alias, and the organization's consent under either number. No inbound
 * timestamp of a closed window, because that message may have been for another organization.
 */
export function stateOf(recorded: RecordedConversation): ConversationState {
  const { upstream_number: upstreamNumber, last_inbound_at: last, consents, read_at: readAt } = recorded;
  const end = last && new Date(last.getTime() + WINDOW_MS);
  const openUntil = end && end > readAt ? end : null;
  return {
    upstreamNumber,
    lastInboundAt: openUntil && last,
    openUntil,
    isOptedOut: consents.includes('opted_out'),
    readAt,
  };
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
