import { CONSENTS, contactHasPrefix } from '@heliograph/contacts';
import { address, after, id, number, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

export const CONTACTS: KeysetOptions = {
  columns: [
    ...['id', 'email', 'phone', 'first_name', 'last_name', 'language', 'country', 'time_zone', 'attributes', 'groups'],
    ...['consent', 'source', 'created_at', 'updated_at'],
  ],
  filters: {
    search: { ...text('', 200), condition: contactHasPrefix },
    group_id: {
      ...id(''),
      condition: (value) =>
        `EXISTS (SELECT FROM contacts.memberships AS x WHERE x.contact_id = c.id AND x.group_id = ${value}::uuid)`,
    },
    email: address((value) => `lower(c.email) = ${value}`),
    phone: number('c.phone'),
    'consent[sms]': oneOf('c.consent_sms', CONSENTS),
    'consent[email]': oneOf('c.consent_email', CONSENTS),
    'consent[chatapp]': oneOf('c.consent_chatapp', CONSENTS),
    created_after: after('c.created_at'),
  },
  select: `c.id, c.email, c.phone, c.first_name, c.last_name, c.language, c.country, c.time_zone, c.attributes,
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name), '[]')
     FROM contacts.memberships AS x JOIN contacts.groups AS g ON g.id = x.group_id WHERE x.contact_id = c.id) AS groups,
    json_build_object('sms', c.consent_sms, 'email', c.consent_email, 'chatapp', c.consent_chatapp) AS consent,
    c.source, c.created_at, c.updated_at`,
  from: 'contacts.contacts AS c',
  id: 'c.id',
  time: 'c.created_at',
  organization: 'c.organization_id',
  workspace: null,
};

export const contacts = keysetSource(CONTACTS);
