import { CONSENTS, contactHasPrefix } from '@heliograph/contacts';
import { address, after, id, number, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

export const CONTACTS: KeysetOptions = {
  columns: {
    id: 'c.id',
    email: 'c.email',
    phone: 'c.phone',
    first_name: 'c.first_name',
    last_name: 'c.last_name',
    language: 'c.language',
    country: 'c.country',
    time_zone: 'c.time_zone',
    attributes: 'c.attributes',
    groups: `(SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name), '[]')
     FROM contacts.memberships AS x JOIN contacts.groups AS g ON g.id = x.group_id WHERE x.contact_id = c.id)`,
    consent: `json_build_object('sms', c.consent_sms, 'email', c.consent_email, 'chatapp', c.consent_chatapp)`,
    source: 'c.source',
    created_at: 'c.created_at',
    updated_at: 'c.updated_at',
  },
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
  from: 'contacts.contacts AS c',
  id: 'c.id',
  time: 'c.created_at',
  organization: 'c.organization_id',
  workspace: null,
};

export const contacts = keysetSource(CONTACTS);
