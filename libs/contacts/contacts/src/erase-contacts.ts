import type { Pool } from 'pg';

/** Deletes the contacts of an organization that have this email address or phone number. */
export async function eraseContacts(
  pool: Pool,
  { organizationId, kind, value }: { organizationId: string; kind: 'email' | 'phone'; value: string },
): Promise<void> {
  const condition = kind === 'email' ? 'lower(email) = lower($2)' : 'phone = $2';
  await pool.query(`DELETE FROM contacts.contacts WHERE organization_id = $1 AND ${condition}`, [
    organizationId,
    value,
  ]);
}
