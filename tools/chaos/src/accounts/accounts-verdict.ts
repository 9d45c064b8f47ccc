import { hashKey } from '@heliograph/auth';
import type { Client } from 'pg';
import { differences } from '../differences';
import type { Accountant, MadeKey } from './accountant';

/** What is wrong with credits that were moved and keys that were made. */
export async function accountViolations(client: Client, accountant: Accountant, url: string): Promise<string[]> {
  const { transfers, keys } = accountant;
  const { rows: legs } = await client.query<{ leg: string }>(
    `SELECT reference || ' ' || workspace_id || ' ' || amount AS leg FROM credits.ledger WHERE kind = 'transfer'`,
  );
  const { rows: stored } = await client.query<StoredKey>(
    `SELECT id, name, hash, revoked_at IS NOT NULL AS revoked FROM auth.api_keys WHERE name LIKE 'chaos-%'`,
  );
  const { rows: entries } = await client.query<{ entry: string }>(
    `SELECT action || ' ' || coalesce(after ->> 'fromWorkspaceId', target_id) AS entry FROM audit.entries`,
  );
  return [
    ...accountant.problems,
    ...differences(
      'transfers accepted and their legs',
      transfers.flatMap(({ id, fromWorkspaceId, toWorkspaceId, amount }) => [
        `transfer:${id}:out ${fromWorkspaceId} ${-amount}`,
        `transfer:${id}:in ${toWorkspaceId} ${amount}`,
      ]),
      legs.map(({ leg }) => leg),
    ),
    ...differences(
      'keys accepted and stored',
      keys.map((key) => showKey(key.id, key.name, hashKey(key.secret), key.isRevoked)),
      stored.map(({ id, name, hash, revoked }) => showKey(id, name, hash, revoked)),
    ),
    ...differences(
      'writes accepted and in the audit log',
      [...transfers.map(({ fromWorkspaceId }) => `credits.transferred ${fromWorkspaceId}`), ...keys.flatMap(entriesOf)],
      entries.map(({ entry }) => entry),
    ),
    ...(await wrongAnswers(keys, url)),
  ];
}

interface StoredKey {
  id: string;
  name: string;
  hash: Buffer;
  revoked: boolean;
}

function showKey(id: string, name: string, hash: Buffer, isRevoked: boolean): string {
  return `${id} ${name} ${hash.toString('hex')} ${isRevoked ? 'revoked' : 'live'}`;
}

function entriesOf({ id, isRevoked, rotations }: MadeKey): string[] {
  return [
    `apikey.created ${id}`,
    ...Array.from({ length: rotations }, () => `apikey.rotated ${id}`),
    ...(isRevoked ? [`apikey.revoked ${id}`] : []),
  ];
}

/** Live keys open the door, revoked ones do not. */
async function wrongAnswers(keys: MadeKey[], url: string): Promise<string[]> {
  const answers = keys.map(async ({ id, secret, isRevoked }) => {
    const { status } = await fetch(`${url}/api/workspaces`, { headers: { authorization: `Bearer ${secret}` } });
    const expected = isRevoked ? 401 : 200;
    return status === expected ? [] : [`the key ${id} was answered ${status}, not ${expected}`];
  });
  return (await Promise.all(answers)).flat();
}
