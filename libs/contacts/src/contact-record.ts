import type { ContactRecord } from '@heliograph/contracts';
import { v1Timestamp } from '@heliograph/service-kit';
import type { Contact, GroupName } from './contact';

/** The v1 record of a contact. */
export function contactRecordOf(contact: Contact, groups: GroupName[]): ContactRecord {
  return {
    id: contact.id,
    email: contact.email,
    phone: contact.phone,
    first_name: contact.firstName,
    last_name: contact.lastName,
    language: contact.language,
    country: contact.country,
    time_zone: contact.timeZone,
    attributes: contact.attributes,
    groups,
    consent: contact.consent,
    source: contact.source,
    created_at: v1Timestamp(contact.createdAt),
    updated_at: v1Timestamp(contact.updatedAt),
  };
}
