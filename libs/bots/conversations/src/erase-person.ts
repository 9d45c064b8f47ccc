import { inIdRanges } from '@heliograph/database';
import type { ErasedPerson } from '@heliograph/tenancy';
import type { Pool } from 'pg';

const BATCH = 200;

/** Compares an answer, which is free text, with an address. */
const SAME_ADDRESS = {
  email: `lower(trim(answer ->> 'value')) = $4`,
  // Without a trunk prefix in parentheses, punctuation and the international prefix.
  phone: `regexp_replace(regexp_replace(answer ->> 'value', '[(]\\s*0\\s*[)]|[^0-9]', '', 'g'), '^00', '') = ltrim($4, '+')`,
} as const;

/** Deletes the contact, the submissions and the conversations of a person. Each statement is short and repeatable. */
export async function erasePerson(
  pool: Pool,
  { organizationId, kind, value, requestedAt }: Pick<ErasedPerson, 'organizationId' | 'kind' | 'value' | 'requestedAt'>,
): Promise<void> {
  const contacts = await pool.query<{ id: string }>(
    `SELECT c.id FROM bots.contacts AS c
     WHERE c.organization_id = $1 AND c.${kind} = $2 AND c.created_at <= $3
       AND c.workspace_id IN (SELECT workspace_id FROM bots.bots WHERE organization_id = $1)`,
    [organizationId, value, requestedAt],
  );
  const contactIds = contacts.rows.map(({ id }) => id);
  await inIdRanges(pool, 'bots.submissions', async (after, upTo) => {
    const { rows } = await pool.query<{ conversationId: string }>(
      `DELETE FROM bots.submissions AS s
       WHERE s.id > $1 AND s.id <= $2 AND s.organization_id = $3 AND s.created_at <= $6 AND (s.contact_id = ANY ($5)
         OR EXISTS (SELECT FROM jsonb_array_elements(s.answers) AS answer WHERE ${SAME_ADDRESS[kind]}))
       RETURNING s.conversation_id AS "conversationId"`,
      [after, upTo, organizationId, value, contactIds, requestedAt],
    );
    await deleteConversations(
      pool,
      organizationId,
      rows.map(({ conversationId }) => conversationId),
    );
  });
  const known = await pool.query<{ id: string }>('SELECT id FROM bots.conversations WHERE contact_id = ANY ($1)', [
    contactIds,
  ]);
  await deleteConversations(
    pool,
    organizationId,
    known.rows.map(({ id }) => id),
  );
  // Last, because a repeated erasure finds the conversations through the contact.
  await pool.query('DELETE FROM bots.contacts WHERE organization_id = $1 AND id = ANY ($2)', [
    organizationId,
    contactIds,
  ]);
}

async function deleteConversations(pool: Pool, organizationId: string, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    await pool.query(
      `WITH erased AS (
         DELETE FROM bots.conversations WHERE organization_id = $1 AND id = ANY ($2) RETURNING id
       )
       DELETE FROM bots.messages WHERE conversation_id IN (SELECT id FROM erased)`,
      [organizationId, ids.slice(start, start + BATCH)],
    );
  }
}
