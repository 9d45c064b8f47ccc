import { newId } from '@heliograph/database';
import { foreignIdDifferences, OpenApiCheck, type HttpResponse, type IdCall } from '@heliograph/testing';
import { call, postForm, postJson, STYLES } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

/** Operations that take no id. */
const WITHOUT_IDS = ['GET /api/me', 'GET /sms/balance', 'GET /sms/senders', 'GET /sms/soap', 'GET /sms/templates'];
const CAMPAIGNS = '/api/v1/sms/campaigns';

const postV1 = (sms: SmsFixture, key: string, path: string, body: object) => writeV1(sms, 'POST', key, path, body);
const putV1 = (sms: SmsFixture, key: string, path: string, body: object) => writeV1(sms, 'PUT', key, path, body);
const writeV1 = (sms: SmsFixture, method: string, key: string, path: string, body: object) =>
  call(sms, path, { method, key, json: body });

/** Ids in the bodies of the v1 API. */
const V1_BODIES: {
  route: string;
  body: (id: string) => object;
  foreign: (owner: SmsTenant) => string;
  isShared: boolean;
}[] = [
  ...['send', 'bulk', 'quote'].flatMap((path) => {
    const route = `POST /api/v1/sms/${path}`;
    const to = path !== 'bulk' ? { to: '+919876543210' } : { recipients: [{ to: '+919876543210' }] };
    return [
      {
        route,
        isShared: true,
        foreign: ({ sender }: SmsTenant) => sender.id,
        body: (id: string) => ({ ...to, message: 'x', sender_id: id }),
      },
      {
        route,
        isShared: true,
        foreign: ({ template }: SmsTenant) => template.id,
        body: (id: string) => ({ ...to, template_id: id }),
      },
      {
        route,
        isShared: false,
        foreign: ({ workspaceId }: SmsTenant) => workspaceId,
        body: (id: string) => ({ ...to, message: 'Your code is 1', workspace_id: id }),
      },
    ];
  }),
  ...['sender_id', 'onboarding_id'].map((name) => ({
    route: 'POST /api/v1/sms/templates',
    isShared: true,
    foreign: ({ sender, onboarding }: SmsTenant) => (name === 'sender_id' ? sender : onboarding).id,
    body: (id: string) => ({ name: `t-${Math.random()}`, body: 'x', [name]: id }),
  })),
];

describe('an id of another organization, or of another workspace with a bound key', () => {
  let sms: SmsFixture;
  let owner: SmsTenant;
  let stranger: SmsTenant;
  let boundToAnother: string;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    [owner, stranger] = [await sms.tenant(), await sms.tenant()];
    const other = await sms.tenants.workspace(owner.organizationId, { credits: { sms: 10 } });
    boundToAnother = await sms.tenants.key(owner.organizationId, { workspaceId: other.id });
  });

  async function idCalls(): Promise<IdCall[]> {
    const fields = () => ({ from: owner.sender.header, to: sms.recipient(), message: 'x' });
    const sent = await postJson(sms, owner.key, fields());
    const scheduled = await postJson(sms, owner.key, { ...fields(), scheduledAt: '2099-01-01T00:00:00Z' });
    const plan = (more: object = {}) => ({
      name: 'x',
      sender_id: owner.sender.id,
      message: 'x',
      audience: { filter: {} },
      draft: true,
      ...more,
    });
    const campaign = await postV1(sms, owner.key, CAMPAIGNS, plan());
    const ids = { unknownId: newId() };
    const ofCampaign = { foreignId: String(campaign.body['id']), ...ids };
    const cancel = (key: string, id: string): Promise<HttpResponse> =>
      call(sms, `/sms/cancel?id=${id}`, { method: 'POST', key });
    return [
      {
        route: 'GET /sms/status',
        foreignId: String(sent.body['messageId']),
        ...ids,
        call: (key, id) => call(sms, `/sms/status?id=${id}`, { key }),
      },
      { route: 'POST /sms/cancel', foreignId: String(scheduled.body['messageId']), ...ids, call: cancel },
      {
        route: 'GET /api/v1/sms/delivery/{id}',
        foreignId: String(sent.body['messageId']),
        ...ids,
        call: (key, id) => call(sms, `/api/v1/sms/delivery/${id}`, { key }),
      },
      ...['sender_id', 'campaign_id', 'workspace_id'].map((name): IdCall => ({
        route: `GET /api/v1/sms/messages, ${name}`,
        foreignId: name === 'sender_id' ? owner.sender.id : owner.workspaceId,
        ...ids,
        isShared: name === 'sender_id',
        call: (key, id) => call(sms, `/api/v1/sms/messages?${name}=${id}`, { key }),
      })),
      {
        route: 'GET /api/v1/sms/templates, onboarding_id',
        foreignId: owner.onboarding.id,
        ...ids,
        isShared: true,
        call: (key, id) => call(sms, `/api/v1/sms/templates?onboarding_id=${id}`, { key }),
      },
      {
        route: `GET ${CAMPAIGNS}/{id}`,
        ...ofCampaign,
        call: (key, id) => call(sms, `${CAMPAIGNS}/${id}`, { key }),
      },
      {
        route: `PUT ${CAMPAIGNS}/{id}`,
        ...ofCampaign,
        call: (key, id) => putV1(sms, key, `${CAMPAIGNS}/${id}`, plan({ sender_id: undefined })),
      },
      ...['start', 'pause', 'resume', 'cancel'].map((transition): IdCall => ({
        route: `POST ${CAMPAIGNS}/{id}/${transition}`,
        ...ofCampaign,
        call: (key, id) => postV1(sms, key, `${CAMPAIGNS}/${id}/${transition}`, {}),
      })),
      {
        route: `GET ${CAMPAIGNS}, workspace_id`,
        foreignId: owner.workspaceId,
        ...ids,
        call: (key, id) => call(sms, `${CAMPAIGNS}?workspace_id=${id}`, { key }),
      },
      ...['', '/estimate'].flatMap((path): IdCall[] => [
        {
          route: `POST ${CAMPAIGNS}${path}, sender_id`,
          foreignId: owner.sender.id,
          ...ids,
          isShared: true,
          call: (key, id) => postV1(sms, key, `${CAMPAIGNS}${path}`, plan({ sender_id: id })),
        },
        {
          route: `POST ${CAMPAIGNS}${path}, workspace_id`,
          foreignId: owner.workspaceId,
          ...ids,
          call: (key, id) => postV1(sms, key, `${CAMPAIGNS}${path}`, plan({ sender_id: undefined, workspace_id: id })),
        },
      ]),
      ...V1_BODIES.map(({ route, body, isShared, foreign }): IdCall => ({
        route: `${route}, ${Object.keys(body('x')).join()}`,
        foreignId: foreign(owner),
        ...ids,
        isShared,
        call: (key, id) => postV1(sms, key, route.slice('POST '.length), body(id)),
      })),
      ...STYLES.flatMap((style): IdCall[] => {
        const route = `${style.name === 'GET' ? 'GET /sms/send' : style.isXml ? 'POST /sms/soap' : 'POST /sms/send'}`;
        const request = (more: object) => ({ to: '+919876543210', message: 'x', ...more });
        return [
          {
            route: `${route}, a sender in ${style.name}`,
            foreignId: owner.sender.id,
            ...ids,
            isShared: true,
            call: (key, from) => style.send(sms, key, request({ from })),
          },
          {
            route: `${route}, a template in ${style.name}`,
            foreignId: owner.template.id,
            ...ids,
            isShared: true,
            call: (key, template) => style.send(sms, key, request({ from: stranger.sender.header, template })),
          },
        ];
      }),
    ];
  }

  it('gets the same response as an unknown id on every route', async () => {
    const calls = await idCalls();
    const { paths } = (await OpenApiCheck.read(sms.url)).document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const covered = new Set(calls.map(({ route }) => route.replace(/,.*/, '')));
    expect([...covered, ...WITHOUT_IDS].sort()).toEqual(operations.sort());
    const keys = { ofAnotherOrganization: stranger.key, boundToAnotherWorkspace: boundToAnother };
    expect(await foreignIdDifferences(calls, keys)).toEqual([]);
    const scheduled = calls.find(({ route }) => route === 'POST /sms/cancel')!;
    expect((await scheduled.call(owner.key, scheduled.foreignId)).body).toMatchObject({ status: 'canceled' });
  });

  it('is not replayed to another key that repeats an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const body = `from=${owner.sender.header}&to=%2B919876543210&message=x`;
    const first = await postForm(sms, owner.key, body, { headers });
    const second = await postForm(sms, boundToAnother, body, { headers });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(second.body['messageId']).not.toBe(first.body['messageId']);
  });
});
