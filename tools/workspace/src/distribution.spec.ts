import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';

const SERVICES = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];

/** Tables that cannot be spread over nodes by the organization as they are: docs/operations/capacity.md. The lists only become shorter. */
const WITHOUT_ORGANIZATION = [
  'auth.api_key_uses',
  'billing.credit_packages',
  'billing.disputes',
  'billing.events',
  'billing.frozen_credits',
  'billing.payment_failures',
  'billing.refunds',
  'billing.zero_payments',
  'bot_search.bots',
  'bot_search.entries',
  'bot_search.lexemes',
  'bot_search.postings',
  'bot_search.words',
  'bots.messages',
  'bots.model_uses',
  'campaigns.members',
  'campaigns.results',
  'campaigns.zones',
  'chatapp.allowance_uses',
  'chatapp.allowances',
  'chatapp.number_aliases',
  'chatapp.prices',
  'chatapp.sending_switch',
  'chatapp.unmatched_statuses',
  'contacts.consents',
  'contacts.import_chunks',
  'contacts.import_errors',
  'contacts.import_waiting_rows',
  'contacts.memberships',
  'credits.accounts',
  'credits.ledger',
  'email.events',
  'email.recipients',
  'idempotency.answers',
  'messaging.dead_letters',
  'messaging.job_queues',
  'messaging.local_deliveries',
  'messaging.outbox',
  'messaging.requeues',
  'messaging.sweeps',
  'messaging.traces',
  'sms.partial_deliveries',
  'sms.parts',
  'sms.rates',
  'sms.unmatched_receipts',
  'system_mail.contents',
  'tenancy.organizations',
  'users.access_tokens',
  'users.devices',
  'users.email_verifications',
  'users.login_failures',
  'users.password_resets',
  'users.recovery_codes',
  'users.refresh_tokens',
  'users.users',
  'webhooks.queue',
];
const KEY_WITHOUT_ORGANIZATION = [
  'analytics.bots_counted',
  'analytics.chatapp_counted',
  'analytics.credits_counted',
  'analytics.email_counted',
  'analytics.reports',
  'analytics.sms_counted',
  'audit.entries',
  'auth.api_keys',
  'auth.device_logins',
  'billing.dunnings',
  'billing.invoices',
  'billing.payers',
  'billing.purchases',
  'billing.receipts',
  'billing.subscriptions',
  'bots.articles',
  'bots.bots',
  'bots.contacts',
  'bots.conversations',
  'bots.faqs',
  'bots.forms',
  'bots.shortcuts',
  'bots.submissions',
  'bots.versions',
  'campaigns.campaigns',
  'chatapp.accounts',
  'chatapp.consents',
  'chatapp.media',
  'chatapp.messages',
  'chatapp.numbers',
  'chatapp.templates',
  'contacts.contacts',
  'contacts.groups',
  'contacts.imports',
  'email.domains',
  'email.messages',
  'email.senders',
  'email.templates',
  'email.tracking_settings',
  'persons.erasures',
  'sms.messages',
  'sms.onboardings',
  'sms.senders',
  'sms.templates',
  'tenancy.workspaces',
  'users.invitation_mails',
  'users.invitations',
  'users.sessions',
  'webhooks.deliveries',
  'webhooks.events',
  'webhooks.subscriptions',
];

interface Table {
  name: string;
  hasOrganization: boolean;
  keyHasOrganization: boolean;
}

const TABLES = `
  SELECT format('%s.%s', n.nspname, c.relname) AS name, a.attnum IS NOT NULL AS "hasOrganization",
    coalesce(a.attnum = ANY (i.indkey), false) AS "keyHasOrganization"
  FROM pg_class AS c
  JOIN pg_namespace AS n ON n.oid = c.relnamespace
  LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
  LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'public', 'testing')
    AND c.relname NOT LIKE '%migration%'
  ORDER BY name`;

describe('the distribution of tables by organization', () => {
  let database: TestDatabase;
  let tables: Table[];
  beforeAll(async () => {
    database = await createTestDatabase([...new Set(SERVICES.flatMap(({ migrations }) => migrations))]);
    tables = await database.query<Table>(TABLES, []);
  });
  afterAll(() => database.drop());

  it('is possible for every table that is not listed', () => {
    const without = tables.filter(({ hasOrganization }) => !hasOrganization);
    expect(without.map(({ name }) => name)).toEqual(WITHOUT_ORGANIZATION);
    const wrongKey = tables.filter(({ hasOrganization, keyHasOrganization }) => hasOrganization && !keyHasOrganization);
    expect(wrongKey.map(({ name }) => name)).toEqual(KEY_WITHOUT_ORGANIZATION);
  });
});
