import type { ErasedPerson } from '@heliograph/tenancy';
import type { Pool } from 'pg';

/** Responses are stored for a day. */
const STORED_FOR = '24 hours';

/**
 * Masks the person in the responses that are stored for Idempotency-Keys of an organization, so that repeated calls get the masked
 * response. Can be repeated.
 */
export async function eraseFromAnswers(
  pool: Pool,
  { organizationId, kind, value, mask, requestedAt }: ErasedPerson,
): Promise<void> {
  const address = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Providers write numbers without a plus sign.
  const pattern = kind === 'phone' ? `\\+?\\m${address.replace('\\+', '')}\\M` : address;
  await pool.query(
    `UPDATE idempotency.answers AS a SET body = CASE
         WHEN a.body::jsonb ?& ARRAY['first_name', 'last_name', 'attributes']
         THEN (regexp_replace(a.body::text, $2, $3, 'gi')::jsonb
           || '{"first_name": null, "last_name": null, "language": null, "country": null, "time_zone": null, "attributes": {}}')::json
         ELSE regexp_replace(a.body::text, $2, $3, 'gi')::json END
     WHERE a.body::text ~* $2 AND a.expires_at <= $4::timestamptz + interval '${STORED_FOR}'
       AND a.caller_id IN (
         SELECT k.id FROM auth.api_keys AS k WHERE k.organization_id = $1
         UNION ALL SELECT m.user_id FROM users.members AS m WHERE m.organization_id = $1)`,
    [organizationId, pattern, mask, requestedAt],
  );
}
