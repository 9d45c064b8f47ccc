import { limitsConfig } from '@heliograph/tenancy';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

/** The default of LIMITS_SMS_TEMPLATES. */
const MOST_TEMPLATES = limitsConfig('LIMITS_SMS_TEMPLATES').LIMITS_SMS_TEMPLATES.parse(undefined);

describe('/api/v1/sms', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms, tenant } = v1);
  });

  describe('GET /messages and /delivery/:id', () => {
    it('list the newest messages first, in pages, with every filter', async () => {
      const own = await sms.tenant();
      for (let i = 0; i < 3; i++) {
        await v1.post('/send', { to: sms.recipient(), message: `Your code is ${i}`, scheduled_at: SCHEDULED }, own.key);
      }
      const first = await v1.get('/messages?limit=2', own.key);
      expect(first.body['data']).toMatchObject([{ message: 'Your code is 2' }, { message: 'Your code is 1' }]);
      const second = await v1.get(`/messages?limit=2&cursor=${String(first.body['next_cursor'])}`, own.key);
      expect(second.body).toEqual({ data: [expect.objectContaining({ message: 'Your code is 0' }) as object] });
      for (const [filter, count] of [
        ['status=scheduled', 3],
        ['status=sent', 0],
        [`sender_id=${own.sender.id}`, 3],
        [`sender_id=${own.onboarding.id}`, 0],
        [`workspace_id=${own.workspaceId}`, 3],
        [`campaign_id=${own.sender.id}`, 0],
        ['from=2099-01-01T00:00:00Z', 0],
        ['until=2099-01-01T00:00:00Z', 3],
        ['from=2099-01-01T00:00:00%2B23:59', 0],
        ['until=2099-01-01T00:00:00-16:00', 3],
      ] as const) {
        expect([filter, (await v1.listed(`/messages?${filter}`, own.key)).length]).toEqual([filter, count]);
      }
      for (const id of [tenant.workspaceId, 'x', '']) {
        for (const list of ['messages', 'campaigns']) {
          expect(await v1.get(`/${list}?workspace_id=${id}`, own.key)).toMatchObject({
            status: 404,
            body: { code: 'NOT_FOUND' },
          });
        }
      }
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
      ['cursor=x', 'cursor'],
      ['status=open', 'status'],
      ['to=x', 'to'],
      ['sender_id=x', 'sender_id'],
      ['from=yesterday', 'from'],
    ])('reject ?%s and name the field', async (query, field) => {
      expect(await v1.get(`/messages?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', fields: [{ field }] },
      });
    });

    it('return 404 for an unknown id, an id of another organization, and an id of another workspace', async () => {
      const other = await sms.tenant();
      const sent = await v1.post('/send', { to: sms.recipient(), message: 'Your code is 1' });
      const id = String(sent.body['id']);
      const workspace = await sms.tenants.workspace(tenant.organizationId);
      const bound = await sms.tenants.key(tenant.organizationId, { workspaceId: workspace.id });
      for (const [path, key] of [
        ['nonsense', tenant.key],
        [tenant.sender.id, tenant.key],
        [id, other.key],
        [id, bound],
      ] as const) {
        expect(await v1.get(`/delivery/${path}`, key)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      }
      expect(await v1.listed('/messages', bound)).toEqual([]);
    });
  });

  describe('/templates', () => {
    it('registers a template, audits it, and lists the newest first', async () => {
      const own = await sms.tenant();
      const body = {
        name: 'welcome',
        body: 'Hi {{name}}, {#var#}',
        sender_id: own.sender.header,
        dlt_template_id: '1107',
      };
      const created = await v1.post('/templates', body, own.key, { 'Idempotency-Key': 'template-1' });
      expect(created.status).toBe(201);
      const instant = expect.stringMatching(/\.\d{3}Z$/) as string;
      expect(created.body).toEqual({
        id: expect.any(String) as string,
        name: 'welcome',
        body: 'Hi {{name}}, {#var#}',
        tokens: ['name', 'var'],
        onboarding_id: own.onboarding.id,
        country: 'IN',
        dlt_template_id: '1107',
        active: true,
        created_at: instant,
        updated_at: instant,
      });
      expect((await v1.post('/templates', body, own.key, { 'Idempotency-Key': 'template-1' })).body).toEqual(
        created.body,
      );
      expect((await v1.listed('/templates', own.key)).map(({ id }) => id)).toEqual([
        created.body['id'],
        own.template.id,
      ]);
      expect(await v1.listed('/templates?active=false', own.key)).toEqual([]);
      expect(await v1.post('/templates', body, own.key)).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } });
      const entries = await sms.database.query(
        'SELECT action, before, after FROM audit.entries WHERE organization_id = $1',
        [own.organizationId],
      );
      const after = {
        name: 'welcome',
        body: 'Hi {{name}}, {#var#}',
        onboardingId: own.onboarding.id,
        dltTemplateId: '1107',
        isActive: true,
      };
      expect(entries).toEqual([{ action: 'sms.template.created', before: null, after }]);
    });

    it('returns 409 LIMIT_REACHED if the organization already has the maximum number of templates', async () => {
      const own = await sms.tenant();
      await sms.database.query(
        `INSERT INTO sms.templates (id, organization_id, onboarding_id, name, body, is_active)
         SELECT gen_random_uuid(), organization_id, onboarding_id, 'copy ' || n, body, true
         FROM sms.templates, generate_series(2, $2::integer) AS n WHERE id = $1`,
        [own.template.id, MOST_TEMPLATES],
      );
      const body = { name: 'one more', body: 'Hi', sender_id: own.sender.header };
      expect(await v1.post('/templates', body, own.key)).toMatchObject({
        status: 409,
        body: { code: 'LIMIT_REACHED' },
      });
      await sms.database.query(`DELETE FROM sms.templates WHERE organization_id = $1 AND name = 'copy 2'`, [
        own.organizationId,
      ]);
      expect((await v1.post('/templates', body, own.key)).status).toBe(201);
    });

    it.each<[string, Fields, string]>([
      ['a missing name', { body: 'x', sender_id: 'S' }, 'name'],
      ['an empty body', { name: 'x', body: '', sender_id: 'S' }, 'body'],
      ['a missing sender', { name: 'x', body: 'x' }, 'sender_id'],
      ['text as active', { name: 'x', body: 'x', sender_id: 'S', active: 'yes' }, 'active'],
      ['letters as the DLT id', { name: 'x', body: 'x', sender_id: '', dlt_template_id: 'abc' }, 'dlt_template_id'],
    ])('rejects %s', async (_what, body, field) => {
      const own = { ...body, ...(body['sender_id'] === '' ? { sender_id: tenant.sender.id } : {}) };
      expect(await v1.post('/templates', own)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', fields: [{ field }] },
      });
    });
  });
});
