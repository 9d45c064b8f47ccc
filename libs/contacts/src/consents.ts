import { newId } from '@heliograph/database';
import type { Pool, PoolClient } from 'pg';
import {
  CONSENT_CHANNELS,
  type Consent,
  type ConsentChannel,
  type ConsentEvidence,
  type ConsentRecord,
  type Consents,
  type Contact,
} from './contact';

const INSERT = `INSERT INTO contacts.consents (id, contact_id, channel, status, source, address, text, occurred_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Stores the evidence of each consent that differs from `before`. */
export async function recordConsents(
  client: PoolClient,
  before: Consents,
  { id, consent, email, phone }: Contact,
  { source, text, occurredAt }: ConsentEvidence,
): Promise<void> {
  for (const channel of CONSENT_CHANNELS) {
    if (consent[channel] === before[channel]) continue;
    const address = channel === 'email' ? email : phone;
    await client.query(INSERT, [newId(), id, channel, consent[channel], source, address, text, occurredAt]);
  }
}

/** The address of a person on a channel: an email address, or a number in E.164. */
export interface ChannelConsent {
  organizationId: string;
  channel: ConsentChannel;
  address: string;
  status: Consent;
}

/**
 * Applies a consent that a person gave or withdrew on a channel to the contact with this address, if there is one. An
 * event that is older than the newest evidence of the channel only adds evidence that is not stored yet. Returns the ids of
 * the contacts that have changed.
 */
export async function applyConsent(
  client: Pick<Pool | PoolClient, 'query'>,
  { organizationId, channel, address, status }: ChannelConsent,
  { source, text, occurredAt }: ConsentEvidence,
): Promise<string[]> {
  const column = channel === 'email' ? 'lower(c.email) = lower($2)' : 'c.phone = $2';
  const { rows } = await client.query<{ id: string }>(
    `WITH contact AS (
       SELECT c.id, c.email, c.phone FROM contacts.contacts AS c
       WHERE c.organization_id = $1 AND ${column} FOR UPDATE),
     evidence AS (
       INSERT INTO contacts.consents (id, contact_id, channel, status, source, address, text, occurred_at)
       SELECT $3, contact.id, $4, $5, $6, $2, $7, $8 FROM contact
       WHERE NOT EXISTS (
         SELECT FROM contacts.consents AS o
         WHERE o.contact_id = contact.id AND o.channel = $4 AND o.status = $5 AND o.source = $6
           AND o.occurred_at = $8::timestamptz(3))
       RETURNING contact_id)
     UPDATE contacts.contacts AS c SET consent_${channel} = $5, updated_at = now()
     FROM evidence AS e
     WHERE c.id = e.contact_id AND NOT EXISTS (
       SELECT FROM contacts.consents AS newer
       WHERE newer.contact_id = c.id AND newer.channel = $4 AND newer.occurred_at > $8)
     RETURNING c.id`,
    [organizationId, address, newId(), channel, status, source, text, occurredAt],
  );
  return rows.map(({ id }) => id);
}

/**
 * Restores the consent of a channel before the newest evidence, if that is a withdrawal with the source `withdrawnBy`: a
 * later decision of the person stays. Returns the ids of the contacts that have changed.
 */
export async function restoreConsent(
  client: Pick<Pool | PoolClient, 'query'>,
  { organizationId, channel, address }: Omit<ChannelConsent, 'status'>,
  withdrawnBy: string,
  evidence: ConsentEvidence,
): Promise<string[]> {
  const column = channel === 'email' ? 'lower(c.email) = lower($2)' : 'c.phone = $2';
  const { rows } = await client.query<{ status: Consent; source: string }>(
    `SELECT o.status, o.source FROM contacts.consents AS o
     WHERE o.channel = $3 AND o.contact_id = (
       SELECT c.id FROM contacts.contacts AS c WHERE c.organization_id = $1 AND ${column} FOR UPDATE)
     ORDER BY o.occurred_at DESC, o.id DESC LIMIT 2`,
    [organizationId, address, channel],
  );
  const [newest, before] = rows;
  if (newest?.status !== 'opted_out' || newest.source !== withdrawnBy) return [];
  const status = before?.status ?? 'unknown';
  return applyConsent(client, { organizationId, channel, address, status }, evidence);
}

/** The evidence of the consents of a contact, newest first. */
export async function listConsents(
  pool: Pool,
  contactId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<ConsentRecord[]> {
  const { rows } = await pool.query<ConsentRecord>(
    `SELECT id, channel, status, source, address, text, occurred_at AS "occurredAt" FROM contacts.consents
     WHERE contact_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [contactId, after, limit + 1],
  );
  return rows;
}
