import type { Attributes, Consent, Contact } from './contact';

/** The columns of a contact; `c` is the table. */
export const CONTACT_COLUMNS = `c.id, c.organization_id, c.email, c.phone, c.first_name, c.last_name, c.language, c.country,
  c.time_zone, c.attributes, c.consent_sms, c.consent_email, c.consent_chatapp, c.source, c.created_at, c.updated_at`;

export interface ContactRow {
  id: string;
  organization_id: string;
  email: string | null;
  phone: string | null;
  first_name: string | null;
  last_name: string | null;
  language: string | null;
  country: string | null;
  time_zone: string | null;
  attributes: Attributes;
  consent_sms: Consent;
  consent_email: Consent;
  consent_chatapp: Consent;
  source: string;
  created_at: Date;
  updated_at: Date;
}

export function contactOf(row: ContactRow): Contact {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    phone: row.phone,
    firstName: row.first_name,
    lastName: row.last_name,
    language: row.language,
    country: row.country,
    timeZone: row.time_zone,
    attributes: row.attributes,
    consent: { sms: row.consent_sms, email: row.consent_email, chatapp: row.consent_chatapp },
    source: row.source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
