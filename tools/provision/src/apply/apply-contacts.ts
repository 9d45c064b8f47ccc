import { addMembers, CONSENT_CHANNELS, ContactGroup, type ContactChanges, type Contact } from '@heliograph/contacts';
import { clientOf, putEntry } from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import type { FilePath } from '../file-positions';
import type { ProvisionedContact, ProvisionedGroup } from '../schema/contacts';
import type { Writers } from './writers';

interface ContactSections {
  groups: ProvisionedGroup[];
  contacts: ProvisionedContact[];
}

export async function applyContacts(
  organizationId: string,
  { groups, contacts }: ContactSections,
  path: FilePath,
  writers: Writers,
  transaction: EntityManager,
): Promise<void> {
  for (const [index, { name, description }] of groups.entries()) {
    await writers.at([...path, 'groups', index], () =>
      putEntry(transaction, ContactGroup, { organizationId, name }, () => ({ description })),
    );
  }
  const known = await transaction.getRepository(ContactGroup).findBy({ organizationId });
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  for (const [index, contact] of contacts.entries()) {
    await writers.at([...path, 'contacts', index], async () => {
      const { id } = await putContact(organizationId, contact, writers, transaction);
      const groupIds = contact.groups.flatMap((name) => ids.get(name) ?? []);
      await addMembers(transaction, groupIds, [id]);
    });
  }
}

/**
 * Creates the contact or updates the one with this address. Decisions that the person has made since then are not
 * changed.
 */
async function putContact(
  organizationId: string,
  { groups: _groups, consent, ...data }: ProvisionedContact,
  { contacts }: Writers,
  transaction: EntityManager,
): Promise<Contact> {
  const existing = await contacts.findByAddress(await clientOf(transaction), organizationId, data);
  const unknown = CONSENT_CHANNELS.filter((channel) => (existing?.consent[channel] ?? 'unknown') === 'unknown');
  const given = unknown.flatMap((channel) => (consent[channel] ? [[channel, consent[channel]] as const] : []));
  const changes: ContactChanges = { ...data, consent: Object.fromEntries(given) };
  if (existing && isUnchanged(existing, changes)) return existing;
  const evidence = { source: 'provisioning', text: null, occurredAt: new Date() };
  return (await contacts.upsert(transaction, organizationId, changes, evidence)).after;
}

function isUnchanged(existing: Contact, { attributes, consent = {}, ...data }: ContactChanges): boolean {
  return (
    Object.keys(consent).length === 0 &&
    Object.entries(data).every(([name, value]) => value === null || existing[name as keyof Contact] === value) &&
    Object.entries(attributes ?? {}).every(([name, value]) => existing.attributes[name] === value)
  );
}
