import { newId } from '@heliograph/database';
import { foreignIdDifferences, OpenApiCheck, type HttpResponse, type IdCall } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';
import { FORM_TYPE, formOf } from './media-upload';

/** Operations that take no id; their lists are checked below. */
const WITHOUT_IDS = [
  'GET /api/me',
  'GET /chatapp/account',
  'GET /chatapp/balance',
  'GET /chatapp/consents',
  'GET /chatapp/templates',
  // This operation sends no media; POST covers template names of others.
  'GET /chatapp/send',
  'POST /chatapp/consents',
  'POST /chatapp/media',
  'POST /chatapp/templates',
  'POST /chatapp/templates/sync',
  // The signature of the link authenticates this operation.
  'GET /chatapp/media/{id}/content',
];
const UNKNOWN_MEDIA = '999999999';

describe('an id of another organization, or of another workspace with a bound key', () => {
  let chatapp: ChatappFixture;
  let owner: ChatappTenant;
  let bound: { own: string; other: string };
  let stranger: ChatappTenant;
  let to: string;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    [owner, stranger] = [await chatapp.tenant(), await chatapp.tenant()];
    const { organizationId } = owner;
    const other = await chatapp.tenants.workspace(organizationId, { credits: { chatapp: 10_000 } });
    bound = {
      own: await chatapp.tenants.key(organizationId, { workspaceId: owner.workspaceId }),
      other: await chatapp.tenants.key(organizationId, { workspaceId: other.id }),
    };
    to = await chatapp.openNumber();
  });

  const uploadWith = async (key: string): Promise<string> => {
    const body = formOf([{ bytes: 'x' }]);
    const options = { method: 'POST', key, headers: { 'Content-Type': FORM_TYPE }, body };
    return String((await chatapp.call('/chatapp/media', options)).body['id']);
  };
  const post = (path: string) => (body: (id: string) => object) => (key: string, id: string) =>
    chatapp.post(key, path, body(id));
  const send = post('/chatapp/send');

  /** Every field of a message that can contain a file id. */
  const MEDIA_MESSAGES: Record<string, (id: string) => object> = {
    'a media message': (id) => ({ to, type: 'image', media: { id } }),
    'the header of a template': (id) => ({
      to,
      type: 'template',
      template: {
        name: 'unsynced',
        components: [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }],
      },
    }),
    'a card of a template': (id) => ({
      to,
      type: 'template',
      template: {
        name: 'unsynced',
        components: [
          {
            type: 'carousel',
            cards: [
              {
                card_index: 0,
                components: [{ type: 'header', parameters: [{ type: 'video', video: { id: Number(id) } }] }],
              },
            ],
          },
        ],
      },
    }),
    'the header of an interactive message': (id) => ({
      to,
      type: 'interactive',
      interactive: {
        type: 'button',
        header: { type: 'document', document: { id, filename: 'a.pdf' } },
        body: { text: 'Read this' },
        action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
      },
    }),
  };

  async function idCalls(): Promise<IdCall[]> {
    const sent = await chatapp.send(owner, { to, text: 'Hi' });
    const inboundId = await chatapp.inbound(to, { type: 'image', media_id: `${Date.now()}` });
    const inboundMedia = (
      await chatapp.rows<{ id: string }>('SELECT media_id AS id FROM chatapp.messages WHERE upstream_id = $1', [
        inboundId,
      ])
    )[0]!.id;
    const uploaded = await uploadWith(bound.own);
    const template = await chatapp.template(owner.organizationId);
    const status = (key: string, id: string) => chatapp.call(`/chatapp/status?id=${encodeURIComponent(id)}`, { key });
    const media = (key: string, id: string) => chatapp.call(`/chatapp/media/${id}`, { key });
    const ids = { unknownId: newId() };
    const uploads = { unknownId: UNKNOWN_MEDIA };
    return [
      { route: 'GET /chatapp/status', foreignId: String(sent.body['id']), ...ids, call: status },
      { route: 'GET /chatapp/status', foreignId: String(sent.body['chatappMessageId']), ...ids, call: status },
      { route: 'GET /chatapp/status', foreignId: inboundId, ...ids, call: status },
      {
        route: 'POST /chatapp/mark-read',
        foreignId: inboundId,
        ...ids,
        call: post('/chatapp/mark-read')((messageId) => ({ messageId })),
      },
      {
        route: 'GET /chatapp/messages',
        foreignId: String(sent.body['id']),
        ...ids,
        call: (key) => chatapp.call('/chatapp/messages', { key }),
      },
      { route: 'GET /chatapp/media/{id}', foreignId: uploaded, ...uploads, call: media },
      { route: 'GET /chatapp/media/{id}', foreignId: inboundMedia, ...uploads, call: media },
      { route: 'GET /chatapp/media/{id}', foreignId: await uploadWith(owner.key), ...uploads, call: media },
      ...['/chatapp/send', '/api/v1/chatapp/quote'].flatMap((path) =>
        Object.entries(MEDIA_MESSAGES).map(([place, body]) => ({
          route: `POST ${path}, ${place}`,
          foreignId: uploaded,
          ...uploads,
          call: post(path)(body),
        })),
      ),
      {
        route: 'POST /chatapp/send, a template',
        foreignId: template,
        unknownId: await chatapp.template((await chatapp.tenant()).organizationId),
        isShared: true,
        call: send((name) => ({ to: newNumber(), type: 'template', template: { name } })),
      },
      {
        route: 'DELETE /chatapp/templates/{name}',
        foreignId: template,
        unknownId: 'nobodys_template',
        isShared: true,
        call: (key, name) => chatapp.call(`/chatapp/templates/${name}`, { method: 'DELETE', key }),
      },
    ];
  }

  it('gets the same response as an unknown id on every route', async () => {
    const calls = await idCalls();
    const { paths } = (await OpenApiCheck.read(chatapp.url)).document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const covered = new Set(calls.map(({ route }) => route.replace(/,.*/, '')));
    expect([...covered, ...WITHOUT_IDS].sort()).toEqual(operations.sort());
    const differences = await foreignIdDifferences(calls, {
      ofAnotherOrganization: stranger.key,
      boundToAnotherWorkspace: bound.other,
    });
    expect(differences).toEqual([]);
  });

  it('is found by the key that is bound to its workspace and by an unbound key', async () => {
    const id = await uploadWith(bound.own);
    for (const key of [bound.own, owner.key]) {
      expect((await chatapp.call(`/chatapp/media/${id}`, { key })).status).toBe(200);
      const sent = await send(MEDIA_MESSAGES['a media message']!)(key, id);
      expect([sent.status, sent.body['code']]).toEqual([200, undefined]);
      const interactive: HttpResponse = await send(MEDIA_MESSAGES['the header of an interactive message']!)(key, id);
      expect([interactive.status, interactive.body['code']]).toEqual([200, undefined]);
    }
    // An unbound key uploads to the workspace for which it sends.
    const unbound = await uploadWith(owner.key);
    expect((await chatapp.call(`/chatapp/media/${unbound}`, { key: bound.own })).status).toBe(200);
  });

  it('is not checked as a file id in the data of a flow', async () => {
    const interactive = {
      type: 'button',
      body: { text: 'Hello' },
      action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
    };
    const flow = { ...interactive, action: { parameters: { flow_action_payload: { image: { id: 'any' } } } } };
    const answer = await chatapp.send(owner, { to, type: 'interactive', interactive: flow });
    expect(answer.body['message']).not.toContain('media id');
  });
});
