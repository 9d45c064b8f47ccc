import { clientOf, newId } from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import { CONSENT_CHANNELS, type AttributeValue, type ConsentChannel, type ContactData } from '../contact';
import { publishContacts } from '../contact-events';
import { MAX_ATTRIBUTES } from '../contact-fields';
import type { ContactImport, ImportCounts } from './contact-import';
import type { ImportError, ImportRow } from './import-row';

/** A contact that rows of the batch create or update. */
interface Target {
  id: string;
  isNew: boolean;
  data: Partial<ContactData>;
  attributes: Record<string, AttributeValue>;
}

interface Existing {
  id: string;
  email_key: string | null;
  phone: string | null;
  names: string[];
}

/** The state of a contact after the rows so far. */
interface Known {
  id: string;
  emailKey: string | null;
  phone: string | null;
  attributeNames: Set<string>;
}

export interface BatchResult {
  counts: ImportCounts;
  errors: ImportError[];
  /** Rows that wait for the end of the file. */
  waiting: ImportRow[];
}

/** The rows of an import that wait for the end of the file. */
export interface Waiting {
  /** The lower-case email addresses of the batch of which a row waits. */
  emails: ReadonlySet<string>;
  /** Number of rows that may wait in addition. */
  room: number;
}

const TOO_MANY_WAIT = 'The file exchanges too many phone numbers. Import this row again in another file.';

/** Another transaction created a contact with an address of the batch. The next attempt finds it. */
export class ContactsChanged extends Error {}

/** The contacts of an organization by the addresses that they have after the rows so far. */
class Directory {
  private readonly byEmail = new Map<string, Known>();
  private readonly byPhone = new Map<string, Known>();

  add(contact: Known): void {
    if (contact.emailKey !== null) this.byEmail.set(contact.emailKey, contact);
    if (contact.phone !== null) this.byPhone.set(contact.phone, contact);
  }

  find({ email, phone }: Partial<ContactData>): { byEmail: Known | undefined; byPhone: Known | undefined } {
    return {
      byEmail: email ? this.byEmail.get(email.toLowerCase()) : undefined,
      byPhone: phone ? this.byPhone.get(phone) : undefined,
    };
  }

  /**
   * Frees the numbers of the contacts of rows that exchange them. False if another contact has one of the numbers, or a row does not
   * fit its contact.
   */
  exchange(rows: readonly ImportRow[]): boolean {
    const contacts = new Set(rows.flatMap(({ data }) => this.find(data).byEmail ?? []));
    const isPossible =
      contacts.size === rows.length &&
      rows.every(({ data, attributes }) => {
        const { byEmail, byPhone } = this.find(data);
        return byEmail && !hasTooManyAttributes(byEmail, attributes) && (!byPhone || contacts.has(byPhone));
      });
    if (!isPossible) return false;
    for (const contact of contacts) {
      if (contact.phone !== null) this.byPhone.delete(contact.phone);
      contact.phone = null;
    }
    return true;
  }

  /** Gives the contact the addresses of a row. Its former ones are free for the rows that follow. */
  update(contact: Known, { email, phone }: Partial<ContactData>): void {
    if (email) {
      if (contact.emailKey !== null) this.byEmail.delete(contact.emailKey);
      contact.emailKey = email.toLowerCase();
    }
    if (phone) {
      if (contact.phone !== null) this.byPhone.delete(contact.phone);
      contact.phone = phone;
    }
    this.add(contact);
  }
}

/**
 * Creates or updates the contacts of valid rows in the transaction, and publishes them, with a fixed number of statements. The
 * result is that of one row after the other, wherever batches begin and end. A row belongs to the contact with its email address;
 * without such a contact, to the contact with its phone number, unless that contact has another email address: two persons may
 * share a number. A row whose phone number belongs to another contact waits if `waiting` has room, with the later rows of its email
 * address; otherwise it is refused. The rows of a group exchange their numbers. Throws ContactsChanged.
 */
export async function importBatch(
  transaction: EntityManager,
  { organizationId, options }: ContactImport,
  groups: readonly (readonly ImportRow[])[],
  waiting: Waiting | null,
): Promise<BatchResult> {
  const rows = groups.flat();
  const client = await clientOf(transaction);
  const { rows: existing } = await client.query<Existing>(
    `SELECT id, lower(email) AS email_key, phone, ARRAY(SELECT jsonb_object_keys(attributes)) AS names
     FROM contacts.contacts
     WHERE organization_id = $1 AND (lower(email) = ANY ($2) OR phone = ANY ($3)) ORDER BY id FOR UPDATE`,
    [
      organizationId,
      rows.flatMap(({ data }) => data.email?.toLowerCase() ?? []),
      rows.flatMap(({ data }) => data.phone ?? []),
    ],
  );
  const directory = new Directory();
  for (const { id, email_key: emailKey, phone, names } of existing) {
    directory.add({ id, emailKey, phone, attributeNames: new Set(names) });
  }
  const targets = new Map<string, Target>();
  const counts: ImportCounts = { created: 0, updated: 0, skipped: 0, invalid: 0 };
  const errors: ImportError[] = [];
  const refuse = (row: number, field: string, message: string): void => {
    counts.invalid++;
    errors.push({ row, field, message });
  };
  const waitingRows: ImportRow[] = [];
  const waitingEmails = new Set(waiting?.emails);
  /** False if the row must not wait. */
  const wait = (one: ImportRow): boolean => {
    const { email } = one.data;
    // With `skip`, contacts keep their numbers.
    if (!waiting || !email || options.on_conflict === 'skip' || waitingRows.length >= waiting.room) return false;
    waitingRows.push(one);
    waitingEmails.add(email.toLowerCase());
    return true;
  };
  const refusePhone = (one: ImportRow, message: string): void => {
    if (wait(one)) return;
    const isFull = waiting !== null && waitingRows.length >= waiting.room;
    refuse(one.row, 'phone', isFull ? `${message} ${TOO_MANY_WAIT}` : message);
  };

  const apply = (one: ImportRow): void => {
    const { row, data, attributes } = one;
    if (data.email && waitingEmails.has(data.email.toLowerCase()) && wait(one)) return;
    const { byEmail, byPhone } = directory.find(data);
    const found = byEmail ?? byPhone;
    if (byEmail && byPhone && byEmail !== byPhone) {
      refusePhone(one, 'phone and email belong to different contacts.');
      return;
    }
    if (found && options.on_conflict === 'skip') {
      counts.skipped++;
      return;
    }
    if (!byEmail && data.email && byPhone && byPhone.emailKey !== null) {
      refusePhone(one, 'phone belongs to a contact with another email address. Change that contact first.');
      return;
    }
    const contact = found ?? { id: newId(), emailKey: null, phone: null, attributeNames: new Set<string>() };
    if (hasTooManyAttributes(contact, attributes)) {
      refuse(row, 'attributes', `A contact can have at most ${MAX_ATTRIBUTES} attributes.`);
      return;
    }
    for (const name of Object.keys(attributes)) contact.attributeNames.add(name);
    directory.update(contact, data);
    const before = targets.get(contact.id);
    targets.set(contact.id, {
      id: contact.id,
      isNew: before ? before.isNew : !found,
      data: { ...before?.data, ...data },
      attributes: { ...before?.attributes, ...attributes },
    });
    if (found) counts.updated++;
    else counts.created++;
  };
  for (const group of groups) {
    if (group.length > 1) directory.exchange(group);
    group.forEach(apply);
  }
  const written = [...targets.values()];
  const changed = await write(transaction, organizationId, written, options);
  const created = written.filter(({ isNew }) => isNew).map(({ id }) => id);
  const updated = written.filter(({ id, isNew }) => !isNew && changed.has(id)).map(({ id }) => id);
  await publishContacts(client, organizationId, 'created', created, null);
  await publishContacts(client, organizationId, 'updated', updated, null);
  return { counts, errors, waiting: waitingRows };
}

function hasTooManyAttributes({ attributeNames }: Known, attributes: ImportRow['attributes']): boolean {
  const added = Object.keys(attributes).filter((name) => !attributeNames.has(name));
  return attributeNames.size + added.length > MAX_ATTRIBUTES;
}

/** Returns the ids of the contacts that are new or differ from before. */
async function write(
  transaction: EntityManager,
  organizationId: string,
  targets: readonly Target[],
  { consent = {}, group_ids: groupIds = [] }: ContactImport['options'],
): Promise<Set<string>> {
  const changed = new Set<string>();
  if (targets.length === 0) return changed;
  const add = ({ rows }: { rows: { id: string }[] }): void => rows.forEach(({ id }) => changed.add(id));
  const client = await clientOf(transaction);
  const batch = JSON.stringify(
    targets.map(({ id, isNew, data, attributes }) => ({
      id,
      attributes,
      is_new: isNew,
      email: data.email,
      phone: data.phone,
      first_name: data.firstName,
      last_name: data.lastName,
      language: data.language,
      country: data.country,
      time_zone: data.timeZone,
    })),
  );
  // Another contact of the batch may get an address that a contact gives up, and PostgreSQL checks the unique indexes row by row.
  await client.query(
    `UPDATE contacts.contacts AS c SET
       email = CASE WHEN lower(b.email) <> lower(c.email) THEN c.id::text ELSE c.email END,
       phone = CASE WHEN b.phone <> c.phone THEN c.id::text ELSE c.phone END
     FROM json_to_recordset($1) AS b ${BATCH}
     WHERE c.id = b.id AND NOT b.is_new AND (lower(b.email) <> lower(c.email) OR b.phone <> c.phone)`,
    [batch],
  );
  add(
    await client.query<{ id: string }>(
      `UPDATE contacts.contacts AS c SET (${MERGED_COLUMNS}) = (${MERGED_VALUES}), updated_at = now()
       FROM json_to_recordset($1) AS b ${BATCH}
       WHERE c.id = b.id AND NOT b.is_new AND (${CURRENT_VALUES}) IS DISTINCT FROM (${MERGED_VALUES})
       RETURNING c.id`,
      [batch],
    ),
  );
  const created = await client.query<{ id: string }>(
    `INSERT INTO contacts.contacts (id, organization_id, email, phone, first_name, last_name, language, country, time_zone,
       attributes, source)
     SELECT b.id, $1, b.email, b.phone, b.first_name, b.last_name, b.language, b.country, b.time_zone, b.attributes, 'import'
     FROM json_to_recordset($2) AS b ${BATCH} WHERE b.is_new
     ON CONFLICT DO NOTHING RETURNING id`,
    [organizationId, batch],
  );
  add(created);
  if (created.rowCount !== targets.filter(({ isNew }) => isNew).length) throw new ContactsChanged();
  const ids = targets.map(({ id }) => id);
  for (const channel of CONSENT_CHANNELS) {
    const status = consent[channel];
    if (!status) continue;
    add(await client.query<{ id: string }>(consentSql(channel), [ids, status, channel, ids.map(() => newId())]));
  }
  if (groupIds.length === 0) return changed;
  add(
    await client.query<{ id: string }>(
      `INSERT INTO contacts.memberships (group_id, contact_id)
       SELECT g.id, c FROM contacts.groups AS g CROSS JOIN unnest($2::uuid[]) AS c
       WHERE g.id = ANY ($1) AND g.organization_id = $3 ON CONFLICT DO NOTHING RETURNING contact_id AS id`,
      [groupIds, ids, organizationId],
    ),
  );
  return changed;
}

const BATCH = `(id uuid, is_new boolean, attributes jsonb, email text, phone text, first_name text, last_name text,
  language text, country text, time_zone text)`;

/** The columns of an existing contact (`c`) with which a row (`b`) is merged. */
const MERGED: Readonly<Record<string, string>> = {
  email: 'CASE WHEN lower(b.email) = lower(c.email) THEN c.email ELSE coalesce(b.email, c.email) END',
  phone: 'coalesce(b.phone, c.phone)',
  first_name: 'coalesce(b.first_name, c.first_name)',
  last_name: 'coalesce(b.last_name, c.last_name)',
  language: 'coalesce(b.language, c.language)',
  country: 'coalesce(b.country, c.country)',
  time_zone: 'coalesce(b.time_zone, c.time_zone)',
  attributes: 'c.attributes || b.attributes',
};
const MERGED_COLUMNS = Object.keys(MERGED).join(', ');
const MERGED_VALUES = Object.values(MERGED).join(', ');
const CURRENT_VALUES = Object.keys(MERGED)
  .map((column) => `c.${column}`)
  .join(', ');

/** An import does not revoke an opt-out; only the person can. `$4`: an id for each contact, by which evidence is sorted. */
const consentSql = (channel: ConsentChannel): string => `
  WITH changed AS (
    UPDATE contacts.contacts SET consent_${channel} = $2
    WHERE id = ANY ($1) AND consent_${channel} <> $2 AND consent_${channel} <> 'opted_out'
    RETURNING id, ${channel === 'email' ? 'email' : 'phone'} AS address)
  INSERT INTO contacts.consents (id, contact_id, channel, status, source, address, occurred_at)
  SELECT ($4::uuid[])[row_number() OVER ()], id, $3, $2, 'import', address, now() FROM changed RETURNING contact_id AS id`;
