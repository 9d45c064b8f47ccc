import { hashToken } from '@heliograph/secrets';
import type { InvariantChecker } from '../invariant-checker';
import type { ManagedKey, Transfer } from './account-workload';

/** What was acknowledged. */
interface AccountWrites {
  transfers: readonly Transfer[];
  keys: readonly ManagedKey[];
  problems: readonly string[];
}

/** Every acknowledged transfer and key change took effect once and is in the audit log. */
export async function checkAccounts(
  checker: InvariantChecker,
  { transfers, keys, problems }: AccountWrites,
  url: string,
): Promise<void> {
  checker.add(problems);
  checker.sameEntries(
    'acknowledged transfers and ledger entries',
    transfers.flatMap(({ id, fromWorkspaceId, toWorkspaceId, amount }) => [
      `transfer:${id}:out ${fromWorkspaceId} ${-amount}`,
      `transfer:${id}:in ${toWorkspaceId} ${amount}`,
    ]),
    await checker.column(
      `SELECT reference || ' ' || workspace_id || ' ' || amount FROM credits.ledger WHERE kind = 'transfer'`,
    ),
  );
  checker.sameEntries(
    'acknowledged and stored API keys',
    keys.map(
      ({ id, name, secret, isRevoked }) =>
        `${id} ${name} ${hashToken(secret).toString('hex')} ${isRevoked ? 'revoked' : 'active'}`,
    ),
    await checker.column(
      `SELECT concat_ws(' ', id, name, encode(hash, 'hex'), CASE WHEN revoked_at IS NULL THEN 'active' ELSE 'revoked' END)
       FROM auth.api_keys WHERE name LIKE 'chaos-%'`,
    ),
  );
  checker.sameEntries(
    'acknowledged writes and audit entries',
    [
      ...transfers.map(({ fromWorkspaceId }) => `credits.transferred ${fromWorkspaceId}`),
      ...keys.flatMap(expectedAuditEntries),
    ],
    await checker.column(
      `SELECT action || ' ' || coalesce(after ->> 'fromWorkspaceId', target_id) FROM audit.entries
       WHERE action ~ '^(credits|apikey)[.]'`,
    ),
  );
  checker.add((await Promise.all(keys.map((key) => wrongStatus(key, url)))).flat());
}

function expectedAuditEntries({ id, isRevoked, rotations }: ManagedKey): string[] {
  return [
    `apikey.created ${id}`,
    ...Array.from({ length: rotations }, () => `apikey.rotated ${id}`),
    ...(isRevoked ? [`apikey.revoked ${id}`] : []),
  ];
}

/** An active key authenticates, a revoked one does not. */
async function wrongStatus({ id, secret, isRevoked }: ManagedKey, url: string): Promise<string[]> {
  const { status } = await fetch(`${url}/api/workspaces`, { headers: { authorization: `Bearer ${secret}` } });
  const expected = isRevoked ? 401 : 200;
  return status === expected ? [] : [`a request with the API key ${id} returned ${status}, not ${expected}`];
}
