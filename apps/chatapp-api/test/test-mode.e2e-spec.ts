import { generateKey } from '@heliograph/auth';
import { putTestCatalog, testPhoneNumberIdOf } from '@heliograph/chatapp-catalog';
import { recordInbound } from '@heliograph/chatapp-messages';
import { balanceOf } from '@heliograph/credits';
import { newId, poolOf, testIdOf } from '@heliograph/database';
import { TenancyService } from '@heliograph/tenancy';
import type { HttpResponse } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';

/** Outcomes by number, as docs/guides/test-mode.md lists them: the HTTP status, the status of the message, and its error code. */
const OUTCOMES: readonly (readonly [string, number, string, number | null])[] = [
  ['+12025550100', 200, 'delivered', null],
  ['+919812345678', 200, 'delivered', null],
  ['+12025550101', 400, 'failed', 131009],
  ['+12025550110', 200, 'failed', 131026],
  ['+12025550111', 200, 'failed', 131047],
  ['+12125550112', 200, 'failed', 131049],
  ['+12025550113', 200, 'failed', 131050],
  ['+12025550114', 200, 'failed', 131000],
  ['+12025550120', 429, 'failed', 130429],
  ['+12025550121', 200, 'delivered', null],
  ['+12025550122', 502, 'failed', null],
  ['+12025550123', 200, 'accepted', null],
  ['+12025550124', 200, 'read', null],
];

describe('chat-app messages of test mode', () => {
  let chatapp: ChatappFixture;
  let live: ChatappTenant;
  let test: ChatappTenant;
  let sentBefore: number;

  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    live = await chatapp.tenant();
    sentBefore = chatapp.provider.requests().length;
    const organizationId = testIdOf(live.organizationId);
    const workspaceId = testIdOf(live.workspaceId);
    await chatapp.tenants.dataSource.transaction(async (transaction) => {
      await new TenancyService().createTestOrganization(transaction, live.organizationId, null);
      await putTestCatalog(transaction, organizationId);
    });
    await chatapp.tenants.topUp({ id: workspaceId, organizationId }, 'chatapp', 10_000);
    const key = await chatapp.tenants.key(organizationId, { secret: generateKey('msg', 'test') });
    test = { organizationId, workspaceId, key };
  });

  /** Nothing of a test reaches the provider. */
  afterAll(() => expect(chatapp.provider.requests().length).toBe(sentBefore));

  const send = (to: string, name = 'hello'): Promise<HttpResponse> =>
    chatapp.send(test, { to, type: 'template', template: { name } });
  const messages = () =>
    chatapp.database.query<{ recipient: string; status: string; error_code: number | null }>(
      'SELECT recipient, status, error_code FROM chatapp.messages WHERE organization_id = $1',
      [test.organizationId],
    );
  const balance = (id: string) => balanceOf(poolOf(chatapp.tenants.dataSource), id, 'chatapp');

  it('gives each message the outcome of its number, on the balance of the test workspace', async () => {
    const liveBefore = await balance(live.workspaceId);
    const answers = await Promise.all(OUTCOMES.map(([to]) => send(to)));
    expect(OUTCOMES.map(([to], index) => [to, answers[index]!.status])).toEqual(
      OUTCOMES.map(([to, status]) => [to, status]),
    );
    const expected = OUTCOMES.map(([recipient, , status, error_code]) => ({ recipient, status, error_code }));
    const byRecipient = (one: { recipient: string }, other: { recipient: string }) =>
      one.recipient < other.recipient ? -1 : 1;
    expect((await messages()).sort(byRecipient)).toEqual(expected.sort(byRecipient));
    expect(await balance(test.workspaceId)).toBeLessThan(10_000);
    expect(await balance(live.workspaceId)).toBe(liveBefore);
  });

  it('refuses the number of a person who opted out', async () => {
    expect(await send('+12025550130')).toMatchObject({ status: 409, body: { code: 'RECIPIENT_OPTED_OUT' } });
  });

  it('has the conversation window of live messages', async () => {
    const text = { to: '+12025550100', type: 'text', text: 'Hello' };
    expect((await chatapp.send(test, text)).body['message']).toContain('24-hour window is closed');
    const pool = poolOf(chatapp.tenants.dataSource);
    await recordInbound(pool, [
      {
        id: newId(),
        upstream_id: `test.${newId()}`,
        phone_number_id: testPhoneNumberIdOf(test.organizationId),
        sender: text.to,
        recipient: '+12025550199',
        type: 'text',
        occurred_at: new Date().toISOString(),
        media_id: null,
        keyword_status: null,
        keyword_source: null,
        keyword_text: null,
        payload: { text: { body: 'Hello' } },
      },
    ]);
    expect((await chatapp.send(test, text)).status).toBe(200);
    await chatapp.rows(`SELECT tenancy.advance_clock($1, interval '24 hours')`, [test.organizationId]);
    expect((await chatapp.send(test, text)).body['message']).toContain('24-hour window is closed');
  });

  it('approves templates at once, except those whose name says otherwise, and separates them from live ones', async () => {
    const create = (tenant: ChatappTenant, name: string) =>
      chatapp.post(tenant.key, '/chatapp/templates', {
        name,
        category: 'utility',
        language: 'en_US',
        components: [{ type: 'BODY', text: 'Your order is on its way.' }],
      });
    for (const [name, status] of [
      ['order_update', 'APPROVED'],
      ['rejected_update', 'REJECTED'],
      ['pending_update', 'PENDING'],
    ] as const) {
      expect(await create(test, name)).toMatchObject({ status: 200, body: { status } });
    }
    expect((await send('+12025550100', 'order_update')).status).toBe(200);
    for (const name of ['rejected_update', 'pending_update', 'unknown']) {
      expect(await send('+12025550100', name)).toMatchObject({
        status: 400,
        body: { code: 'CHATAPP_REQUEST_INVALID' },
      });
    }
    const { body } = await chatapp.call<{ templates: { name: string }[] }>('/chatapp/templates', { key: live.key });
    expect(body.templates.map(({ name }) => name)).not.toContain('order_update');
    expect(await chatapp.post(test.key, '/chatapp/templates/sync', {})).toMatchObject({ body: { fetched: 0 } });
    const removed = await chatapp.call('/chatapp/templates/order_update', { method: 'DELETE', key: test.key });
    expect(removed.status).toBe(200);
  });

  it('keeps the record of an uploaded file', async () => {
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.4 test']), 'test.pdf');
    const uploaded = await fetch(`${chatapp.url}/chatapp/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${test.key}` },
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    const { body } = await chatapp.call<{ url: string; file_size: number }>(`/chatapp/media/${id}`, { key: test.key });
    expect(body.file_size).toBe(13);
    const content = await fetch(body.url.replace(/^https?:\/\/[^/]+/, chatapp.url));
    expect([content.status, await content.text()]).toEqual([200, 'A file of test mode.\n']);
    expect((await chatapp.call(`/chatapp/media/${id}`, { key: live.key })).status).toBe(404);
  });
});
