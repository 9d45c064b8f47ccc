import { clientOf } from '@heliograph/database';
import type { DataSource } from 'typeorm';
import { publishContacts } from './contact-events';

/** Deletes the contacts of an organization that have this email address or phone number. */
export async function eraseContacts(
  dataSource: DataSource,
  { organizationId, kind, value }: { organizationId: string; kind: 'email' | 'phone'; value: string },
): Promise<void> {
  const condition = kind === 'email' ? 'lower(email) = lower($2)' : 'phone = $2';
  await dataSource.transaction(async (transaction) => {
    const client = await clientOf(transaction);
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM contacts.contacts WHERE organization_id = $1 AND ${condition} FOR UPDATE`,
      [organizationId, value],
    );
    const ids = rows.map(({ id }) => id);
    await publishContacts(client, organizationId, 'deleted', ids, null);
    await client.query('DELETE FROM contacts.contacts WHERE id = ANY ($1)', [ids]);
  });
}
