import { newId } from '@heliograph/database';
import type { AccountFixture, Tenant } from './account-fixture';
import { storeLead } from './bot-inbox-fixture';
import { storePurchase, storeSms } from './stored-messages';

/** The key is a route up to and including its last parameter, the value is the id of an object for this parameter. */
export type ObjectIds = Record<string, string>;

/** Creates one object for each parameter of a route and returns their ids. `name` makes their names unique. */
export async function objectIdsOf(
  fixture: AccountFixture,
  { organizationId, workspace, owner, key }: Tenant,
  name = 'theirs',
): Promise<ObjectIds> {
  const made = async (path: string, kind: string, body: object): Promise<string> => {
    const { status, data, error } = await fixture.call<Record<string, { id: string }>>('POST', path, { key, body });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(error)}`);
    return data[kind]!.id;
  };
  const theirCookie = await fixture.login(owner.email);
  const session = await fixture.call<{ session: { id: string } }>('GET', '/api/auth/session', {
    cookie: theirCookie,
  });
  const onboarding = await made('/api/organization/sms/onboardings', 'onboarding', { name: 'india', country: 'IN' });
  await fixture.database.query(
    `INSERT INTO billing.invoices (id, organization_id, workspace_id, customer, customer_address, status, currency, amount_due, amount_paid,
       subtotal, total, lines, created_at, newest)
     VALUES ($3, $1, $2, 'cus_theirs', '{}', 'paid', 'usd', 0, 100, 100, 100, '[]', now(), '')`,
    [organizationId, workspace.id, `in_${name}`],
  );
  return {
    '/api/workspaces/:id': workspace.id,
    '/api/auth/sessions/:sessionId': session.data.session.id,
    '/api/organization/members/:userId': owner.id,
    '/api/organization/invitations/:id': await made('/api/organization/invitations', 'invitation', {
      email: 'guest@example.com',
      role: 'viewer',
    }),
    '/api/organization/api-keys/:keyId': await made('/api/organization/api-keys', 'apiKey', { name }),
    '/api/organization/sms/onboardings/:entryId': onboarding,
    '/api/organization/sms/senders/:entryId': await made('/api/organization/sms/senders', 'sender', {
      header: name.toUpperCase(),
      onboardingId: onboarding,
    }),
    '/api/organization/sms/templates/:entryId': await made('/api/organization/sms/templates', 'template', {
      name,
      onboardingId: onboarding,
      body: 'Hello {{name}}',
    }),
    '/api/workspaces/:id/billing/invoices/:invoiceId': `in_${name}`,
    '/api/organization/erasures/:erasureId': await eraseOne(fixture, key),
    ...(await contactsOf(fixture, key, name)),
    '/api/v1/credits/purchases/:purchaseId': await storePurchase(fixture, organizationId, workspace.id),
    ...(await webhookObjectIdsOf(fixture, key)),
    '/api/v1/requests/:id': await loggedRequestOf(fixture, organizationId),
    '/api/v1/messages/:messageId': await storeSms(fixture, organizationId, workspace.id),
    ...(await reportsOf(fixture, key)),
    ...(await emailObjectIdsOf(made, workspace.id, name)),
    ...(await botObjectIdsOf(fixture, { organizationId, workspaceId: workspace.id }, made, name)),
  };
}

async function contactsOf(fixture: AccountFixture, key: string, name: string): Promise<ObjectIds> {
  const place = '/api/v1/contacts';
  const create = async (path: string, body: object): Promise<string> =>
    (await fixture.v1<{ id: string }>('POST', path, { key, body })).id;
  return {
    [`${place}/:contactId`]: await create(place, { email: `${name}@example.com` }),
    [`${place}/groups/:groupId`]: await create(`${place}/groups`, { name }),
    [`${place}/import/:importId`]: await create(`${place}/import`, { contacts: [{ email: `${name}2@example.com` }] }),
  };
}

async function reportsOf(fixture: AccountFixture, key: string): Promise<ObjectIds> {
  const body = { type: 'sms_messages' };
  const { id } = await fixture.v1<{ id: string }>('POST', '/api/v1/reports', { key, body });
  return { '/api/v1/reports/:reportId': id };
}

async function webhookObjectIdsOf(fixture: AccountFixture, key: string): Promise<ObjectIds> {
  const body = { url: 'https://8.8.8.8/webhooks', events: ['sms.*'] };
  const { id } = await fixture.v1<{ id: string }>('POST', '/api/v1/webhooks', { key, body });
  return { '/api/v1/webhooks/:webhookId': id, '/api/v1/webhooks/:webhookId/logs/:deliveryId': newId() };
}

async function loggedRequestOf(fixture: AccountFixture, organizationId: string): Promise<string> {
  const id = newId();
  await fixture.database.query(
    `INSERT INTO auth.requests (id, organization_id, key_id, request_id, service, method, path, status, duration_ms)
     VALUES ($1, $2, $1, 'one', 'sms-api', 'GET', '/api/me', 200, 1)`,
    [id, organizationId],
  );
  return id;
}

async function eraseOne(fixture: AccountFixture, key: string): Promise<string> {
  const body = { address: 'gone@example.com' };
  const answer = await fixture.call<{ erasure: { id: string } }>('POST', '/api/organization/erasures', { key, body });
  return answer.data.erasure.id;
}

async function botObjectIdsOf(
  fixture: AccountFixture,
  home: { organizationId: string; workspaceId: string },
  made: (path: string, kind: string, body: object) => Promise<string>,
  name: string,
): Promise<ObjectIds> {
  const place = `/api/workspaces/${home.workspaceId}`;
  const bot = await made(`${place}/bots`, 'bot', { id: `bot_${name}`, name });
  const of = (path: string) => `/api/workspaces/:id/${path}`;
  const content = (path: string, kind: string, body: object) => made(`${place}/bots/${bot}/${path}`, kind, body);
  const { conversationId, contactId, submissionId } = await storeLead(fixture, home, bot);
  return {
    [of('bots/:botId')]: bot,
    [of('bots/:botId/faqs/:faqId')]: await content('faqs', 'faq', { id: name, question: 'x', answer: 'x' }),
    [of('bots/:botId/knowledge/:articleId')]: await content('knowledge', 'article', { title: 'x', body: 'x' }),
    [of('bots/:botId/shortcuts/:shortcutId')]: await content('shortcuts', 'shortcut', { label: 'x', command: '/x' }),
    [of('bots/:botId/forms/:formId')]: await content('forms', 'form', {
      title: 'x',
      fields: [{ key: 'email', label: 'Email', type: 'email' }],
    }),
    [of('conversations/:cid')]: conversationId,
    [of('contacts/:contactId')]: contactId,
    [of('submissions/:submissionId')]: submissionId,
  };
}

async function emailObjectIdsOf(
  made: (path: string, kind: string, body: object) => Promise<string>,
  workspaceId: string,
  name: string,
): Promise<ObjectIds> {
  const place = '/api/organization/email';
  const domain = await made(`${place}/domains`, 'domain', { name: `${name}.example` });
  const address = `${name}@${name}.example`;
  await made(`${place}/suppressions`, 'suppression', { address });
  const template = { slug: name, name, text: 'Hello {{ name }}' };
  return {
    [`${place}/domains/:domainId`]: domain,
    [`${place}/senders/:senderId`]: await made(`${place}/senders`, 'sender', { address }),
    [`${place}/templates/:templateId`]: await made(`${place}/templates`, 'template', template),
    [`${place}/suppressions/:address`]: address,
    [`${place}/tracking/workspaces/:id`]: workspaceId,
    [`${place}/tracking/keys/:keyId`]: await made('/api/organization/api-keys', 'apiKey', {
      name: `mailing ${name}`,
    }),
  };
}
