import { newId } from '@heliograph/database';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

interface Quote {
  verdict: string;
  credits_cost: number;
  credits_available: number | null;
  earliest_send_at: string | null;
  checks: { name: string; result: string; message: string | null }[];
}

describe('POST /api/v1/chatapp/quote', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant({ credits: 1_000 });
  });

  const quote = <Body = Quote>(body: object, { key }: ChatappTenant = tenant) =>
    chatapp.post<Body>(key, '/api/v1/chatapp/quote', body, { 'Idempotency-Key': 'not claimed' });
  const storedRows = ({ organizationId, workspaceId }: ChatappTenant) =>
    chatapp.rows(
      `SELECT (SELECT count(*) FROM chatapp.messages WHERE organization_id = $1) AS messages,
         (SELECT count(*) FROM credits.ledger WHERE workspace_id = $2) AS entries,
         (SELECT sum(used) FROM chatapp.allowance_uses WHERE workspace_id = $2) AS free,
         (SELECT balance FROM credits.accounts WHERE workspace_id = $2 AND credit_type = 'chatapp') AS balance`,
      [organizationId, workspaceId],
    );

  /**
   * Quotes and sends the same body, and expects the same result. `refusedBy` contains the names of the failed checks.
   */
  const agree = async (own: ChatappTenant, body: object, refusedBy: string[]) => {
    const before = await storedRows(own);
    const quoted = await quote(body, own);
    expect(await storedRows(own)).toEqual(before);
    const { status, body: sent } = await chatapp.send(own, body);
    const failed = quoted.body.checks.filter(({ result }) => result === 'failed');
    const isOk = refusedBy.length === 0;
    expect([quoted.status, quoted.body.verdict, failed.map(({ name }) => name)]).toEqual([
      200,
      isOk ? 'ok' : 'refused',
      refusedBy,
    ]);
    expect([status, status === 200]).toEqual([status, isOk]);
    expect(quoted.body.checks.every(({ result }) => result === 'passed')).toBe(isOk);
    if (isOk) {
      expect(quoted.body).toMatchObject({ credits_cost: sent['price'], currency: sent['currency'], segments: null });
    } else {
      expect(failed[0]?.message).toBe(`${String(sent['code'])}: ${String(sent['message'])}`);
      expect(quoted.body.earliest_send_at).toBeNull();
      expect(quoted.body.credits_available).toEqual(expect.any(Number));
    }
    return quoted.body;
  };

  it('returns the same result as sends that are accepted', async () => {
    const name = await chatapp.template(null);
    const own = await chatapp.template(tenant.organizationId, { category: 'utility' });
    const open = await chatapp.openNumber();
    for (const body of [
      { to: newNumber(), type: 'template', template: { name } },
      { to: newNumber(), type: 'template', template: { name: own } },
      { to: open, text: 'Hi' },
      { to: open, type: 'image', media: { link: 'https://example.com/a.png' } },
    ]) {
      await agree(tenant, body, []);
    }
  });

  it('returns the same result as sends that are rejected', async () => {
    const out = newNumber();
    const open = await chatapp.openNumber();
    await chatapp.consent(tenant.organizationId, out, 'opted_out');
    const poor = await chatapp.tenant({ credits: 1 });
    const locked = await chatapp.tenant();
    await chatapp.rows(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [locked.workspaceId]);
    const reader = await chatapp.tenant({ key: { scopes: ['chatapp:read'] } });
    const name = await chatapp.template(null);
    const foreign = await chatapp.template((await chatapp.tenant()).organizationId);
    const template = { to: newNumber(), type: 'template', template: { name } };
    for (const [own, body, check] of [
      [tenant, { to: newNumber(), text: 'Hi' }, 'window'],
      [tenant, { to: out, type: 'template', template: { name } }, 'consent'],
      [tenant, { ...template, template: { name: foreign } }, 'template'],
      [tenant, { to: open, type: 'image', media: { id: newId() } }, 'media'],
      [poor, template, 'credits'],
      [locked, template, 'workspace'],
      [reader, template, 'permission'],
    ] as const) {
      await agree(own, body, [check]);
    }
  });

  it('returns all failed checks, the first one with the error of the send', async () => {
    const out = newNumber();
    const poor = await chatapp.tenant({ credits: 0 });
    await chatapp.consent(poor.organizationId, out, 'opted_out');
    const foreign = await chatapp.template((await chatapp.tenant()).organizationId);
    const locked = await chatapp.tenant({ credits: 0 });
    await chatapp.rows(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [locked.workspaceId]);
    const image = { type: 'image', media: { id: newId() } };
    for (const [own, body, checks, results] of [
      [poor, { to: out, text: 'Hi' }, ['consent', 'window', 'credits'], {}],
      [poor, { to: out, ...image }, ['media', 'consent', 'window', 'credits'], {}],
      [
        poor,
        { to: out, type: 'template', template: { name: foreign } },
        ['template'],
        { media: 'passed', workspace: 'passed', consent: 'not_run', window: 'not_run', credits: 'not_run' },
      ],
      [locked, { to: newNumber(), ...image }, ['media', 'workspace', 'window', 'credits'], { consent: 'passed' }],
    ] as const) {
      const { checks: all } = await agree(own, body, [...checks]);
      expect(Object.fromEntries(all.map(({ name, result }) => [name, result]))).toMatchObject(results);
    }
  });

  it('reports a check as passed only if it was executed', async () => {
    const { checks } = (await quote({ to: newNumber(), text: 'Hi' })).body;
    expect(Object.fromEntries(checks.map(({ name, result }) => [name, result]))).toEqual({
      permission: 'passed',
      recipient: 'passed',
      template: 'passed',
      media: 'passed',
      erased: 'passed',
      workspace: 'passed',
      consent: 'passed',
      window: 'failed',
      credits: 'passed',
    });
  });

  it('returns the code of a send for an invalid request, and the invalid fields', async () => {
    const to = newNumber();
    for (const [body, ...fields] of [
      [{ to, type: 'smell' }, 'type'],
      [{ to: 'me', text: 'Hi' }, 'to'],
      [{ to }, 'text'],
      [{ to, text: 'x'.repeat(5_000) }, 'text'],
      [{ to: 'me', text: 5, category: 'x' }, 'to', 'text', 'category'],
      [{ to, text: 'Hi', recipiants: [] }, 'recipiants'],
      [{ to, type: 'image', media: { link: 'ftp://example.com/a.png' } }, 'media.link'],
      [{ to, type: 'image', media: { id: 'x', captoin: 'y' } }, 'media.captoin'],
      [{ to, type: 'template', template: { name: 'A' } }, 'template.name'],
      [{ to, type: 'template', template: { name: 'a', components: 5 } }, 'template.components'],
      [{ to, type: 'template', template: { name: 'a', lang: 'en' } }, 'template.lang'],
      [{ to, type: 'interactive', interactive: [] }, 'interactive'],
    ] as const) {
      const quoted = await quote<{ code: string; fields?: { field: string }[] }>(body);
      const sent = await chatapp.send(tenant, body);
      const { code, fields: named } = quoted.body;
      expect([quoted.status, sent.status, code]).toEqual([400, 400, sent.body['code']]);
      expect([body, named?.map(({ field }) => field)]).toEqual([body, fields]);
    }
  });
});
