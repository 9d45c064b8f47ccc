import { clientOf } from '@heliograph/database';
import type { DataSource, EntityManager } from 'typeorm';
import { CONSENT_CHANNELS, type ConsentChannel } from './contact';
import { publishContacts } from './contact-events';

interface ErasedAddress {
  organizationId: string;
  kind: 'email' | 'phone';
  value: string;
  /** Later contacts are retained. */
  requestedAt: Date;
}

interface Erased {
  id: string;
  sms: boolean;
  email: boolean;
  chatapp: boolean;
}

/**
 * Deletes the contacts of an organization that have this email address or phone number. `keepOptOuts` stores the channels on which
 * they had opted out.
 */
export async function eraseContacts(
  dataSource: DataSource,
  { organizationId, kind, value, requestedAt }: ErasedAddress,
  keepOptOuts: (transaction: EntityManager, channels: ConsentChannel[]) => Promise<void>,
): Promise<void> {
  const condition = kind === 'email' ? 'lower(email) = lower($2)' : 'phone = $2';
  await dataSource.transaction(async (transaction) => {
    const client = await clientOf(transaction);
    const { rows } = await client.query<Erased>(
      `SELECT id, consent_sms = 'opted_out' AS sms, consent_email = 'opted_out' AS email, consent_chatapp = 'opted_out' AS chatapp
       FROM contacts.contacts WHERE organization_id = $1 AND ${condition} AND created_at <= $3 FOR UPDATE`,
      [organizationId, value, requestedAt],
    );
    const ids = rows.map(({ id }) => id);
    await publishContacts(client, organizationId, 'deleted', ids, null);
    await client.query('DELETE FROM contacts.contacts WHERE id = ANY ($1)', [ids]);
    const ofAddress = CONSENT_CHANNELS.filter((channel) => (channel === 'email') === (kind === 'email'));
    await keepOptOuts(
      transaction,
      ofAddress.filter((channel) => rows.some((contact) => contact[channel])),
    );
  });
}
