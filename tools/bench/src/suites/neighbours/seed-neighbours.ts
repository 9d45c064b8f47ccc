import { newId } from '@heliograph/database';
import {
  benchWorkspaces,
  seed,
  seedEmail,
  seedUsers,
  withSeedConnection,
  type BenchWorkspace,
} from '@heliograph/harness';
import type { Pool } from 'pg';
import { CHATAPP_PHONE, chatappNumber } from '../../calls/chatapp-calls';
import { EMAIL_SENDER } from '../../calls/email-calls';

/** The sender address of B. */
export const QUIET_SENDER = 'hello@quiet.example';
/** The bot of B. */
export const QUIET_BOT = 'bot_quiet';
/** The chat-app senders of A have the numbers from 0 on, those of B the numbers from here on. */
export const FIRST_QUIET_SENDER = 90_000_000;
const NOISY_SENDERS = 30_000;
const QUIET_SENDERS = 5_000;

export interface Neighbour extends BenchWorkspace {
  /** The second workspace of the organization. */
  siblingId: string;
}

/** Creates the organizations A (the first one) and B (the second one) with all channels, and a user in A. */
export async function seedNeighbours(databaseUrl: string): Promise<Record<'a' | 'b', Neighbour>> {
  await seed(databaseUrl, 2, { siblings: true });
  await seedEmail(databaseUrl, [EMAIL_SENDER, QUIET_SENDER]);
  await seedUsers(databaseUrl, 1);
  return withSeedConnection(databaseUrl, [], async (_, pool) => {
    const [a, b] = await benchWorkspaces(pool, 2);
    if (!a || !b) throw new Error('The organizations are not seeded.');
    const accountId = newId();
    await pool.query(`INSERT INTO chatapp.accounts (id, owner_type, phone_number_id) VALUES ($1, 'platform', $2)`, [
      accountId,
      CHATAPP_PHONE,
    ]);
    await seedChatappSenders(pool, accountId, a, 0, NOISY_SENDERS);
    await seedChatappSenders(pool, accountId, b, FIRST_QUIET_SENDER, QUIET_SENDERS);
    return { a: await withSibling(pool, a), b: await withSibling(pool, b) };
  });
}

/** Assigns numbers to an organization, as a message to them does. */
async function seedChatappSenders(
  pool: Pool,
  accountId: string,
  { organizationId, workspaceId }: BenchWorkspace,
  first: number,
  count: number,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => `+${chatappNumber(first + index)}`);
  await pool.query(
    `INSERT INTO chatapp.numbers (account_id, number, organization_id, workspace_id)
     SELECT $1, number, $2, $3 FROM unnest($4::text[]) AS number`,
    [accountId, organizationId, workspaceId, numbers],
  );
}

async function withSibling(pool: Pool, workspace: BenchWorkspace): Promise<Neighbour> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM tenancy.workspaces WHERE organization_id = $1 AND id <> $2',
    [workspace.organizationId, workspace.workspaceId],
  );
  return { ...workspace, siblingId: rows[0]?.id ?? '' };
}
