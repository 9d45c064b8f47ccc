import { newId } from '@heliograph/database';
import { foreignIdDifferences, OpenApiCheck, type IdCall } from '@heliograph/testing';
import { call, send, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

/** Operations that take no id. */
const WITHOUT_IDS = [
  'GET /api/me',
  'GET /api/v1/email/templates',
  'GET /email/balance',
  'GET /email/senders',
  'GET /email/templates',
  'POST /api/v1/email/templates',
];

describe('an id of another organization, or of another workspace with a bound key', () => {
  let email: EmailFixture;
  let owner: EmailTenant;
  let stranger: EmailTenant;
  let boundToAnother: string;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    [owner, stranger] = [await email.tenant(), await email.tenant()];
    const other = await email.tenants.workspace(owner.organizationId, { credits: { email: 10 } });
    boundToAnother = await email.tenants.key(owner.organizationId, { workspaceId: other.id });
  });

  async function idCalls(): Promise<IdCall[]> {
    const fields = () => ({ to: email.recipient(), subject: 'Hi', text: 'Hi' });
    const sent = await sendOk(email, owner.key, fields());
    const scheduled = await sendOk(email, owner.key, { ...fields(), scheduledAt: '2099-01-01T00:00:00Z' });
    const template = await email.template(owner.organizationId);
    const ids = { unknownId: newId() };
    const status =
      (name: string): IdCall['call'] =>
      (key, id) =>
        call(email, `/email/status?${name}=${id}`, { key });
    const cancel: IdCall['call'] = (key, id) => call(email, `/email/cancel?id=${id}`, { method: 'POST', key });
    const sendWith = (body: (id: string) => object): IdCall['call'] => {
      const to = email.recipient();
      return (key, id) => send(email, key, { to, ...body(id) });
    };
    const v1 = ['send', 'bulk', 'quote'].flatMap((name): IdCall[] => {
      const path = `/api/v1/email/${name}`;
      const to = name !== 'bulk' ? { to: email.recipient() } : { recipients: [{ to: email.recipient() }] };
      const post =
        (body: (id: string) => object): IdCall['call'] =>
        (key, id) =>
          send(email, key, { ...to, ...body(id) }, { path });
      const content = { subject: 'Hi', text: 'Hi' };
      const route = `POST ${path}`;
      return [
        {
          route: `${route}, a template`,
          foreignId: template.id,
          ...ids,
          isShared: true,
          call: post((id) => ({ template_id: id, variables: { name: 'Ann' } })),
        },
        {
          route: `${route}, a sender`,
          foreignId: owner.from,
          unknownId: `hello@${newId()}.example`,
          isShared: true,
          call: post((from) => ({ from, ...content })),
        },
        {
          route: `${route}, a workspace`,
          foreignId: owner.workspaceId,
          ...ids,
          call: post((id) => ({ workspace_id: id, ...content })),
        },
      ];
    });
    const campaigns = '/api/v1/email/campaigns';
    const plan = (more: object) => ({
      name: 'x',
      subject: 'Hi',
      text: 'Hi',
      audience: { filter: {} },
      draft: true,
      ...more,
    });
    const post = (key: string, path: string, body: object) => send(email, key, body, { path });
    const campaign = await post(owner.key, campaigns, plan({}));
    const ofCampaign = { foreignId: String((campaign.body as { id?: unknown }).id), ...ids };
    const campaignCalls: IdCall[] = [
      {
        route: `GET ${campaigns}/{id}`,
        ...ofCampaign,
        call: (key, id) => call(email, `${campaigns}/${id}`, { key }),
      },
      {
        route: `PUT ${campaigns}/{id}`,
        ...ofCampaign,
        call: (key, id) => call(email, `${campaigns}/${id}`, { method: 'PUT', key, json: plan({}) }),
      },
      ...['start', 'pause', 'resume', 'cancel'].map((transition): IdCall => ({
        route: `POST ${campaigns}/{id}/${transition}`,
        ...ofCampaign,
        call: (key, id) => post(key, `${campaigns}/${id}/${transition}`, {}),
      })),
      {
        route: `GET ${campaigns}, workspace_id`,
        foreignId: owner.workspaceId,
        ...ids,
        call: (key, id) => call(email, `${campaigns}?workspace_id=${id}`, { key }),
      },
      ...['', '/estimate'].flatMap((path): IdCall[] => [
        {
          route: `POST ${campaigns}${path}, a template`,
          foreignId: template.id,
          ...ids,
          isShared: true,
          call: (key, id) => post(key, `${campaigns}${path}`, plan({ template_id: id })),
        },
        {
          route: `POST ${campaigns}${path}, a workspace`,
          foreignId: owner.workspaceId,
          ...ids,
          call: (key, id) => post(key, `${campaigns}${path}`, plan({ workspace_id: id })),
        },
      ]),
    ];
    return [
      ...v1,
      ...campaignCalls,
      ...['workspace_id', 'campaign_id'].map((name): IdCall => ({
        route: `GET /api/v1/email/messages, ${name}`,
        foreignId: owner.workspaceId,
        ...ids,
        call: (key, id) => call(email, `/api/v1/email/messages?${name}=${id}`, { key }),
      })),
      {
        route: 'GET /api/v1/email/messages/{id}',
        foreignId: sent.id,
        ...ids,
        call: (key, id) => call(email, `/api/v1/email/messages/${id}`, { key }),
      },
      { route: 'GET /email/status', foreignId: sent.id, ...ids, call: status('id') },
      { route: 'GET /email/status', foreignId: sent.id, ...ids, call: status('messageId') },
      { route: 'POST /email/cancel', foreignId: scheduled.id, ...ids, call: cancel },
      ...[template.id, template.slug].map((foreignId) => ({
        route: 'POST /email/send, a template',
        foreignId,
        ...ids,
        isShared: true,
        call: sendWith((id) => ({ template: id, variables: { name: 'Ann' } })),
      })),
      {
        route: 'POST /email/send, a sender',
        foreignId: owner.from,
        unknownId: `hello@${newId()}.example`,
        isShared: true,
        call: sendWith((from) => ({ from, subject: 'Hi', text: 'Hi' })),
      },
    ];
  }

  it('gets the same response as an unknown id on every route', async () => {
    const calls = await idCalls();
    const { paths } = (await OpenApiCheck.read(email.url)).document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const covered = new Set(calls.map(({ route }) => route.replace(/,.*/, '')));
    expect([...covered, ...WITHOUT_IDS].sort()).toEqual(operations.sort());
    const keys = { ofAnotherOrganization: stranger.key, boundToAnotherWorkspace: boundToAnother };
    expect(await foreignIdDifferences(calls, keys)).toEqual([]);
    const scheduled = calls.find(({ route }) => route === 'POST /email/cancel')!;
    expect((await scheduled.call(owner.key, scheduled.foreignId)).body).toMatchObject({ status: 'canceled' });
  });
});
