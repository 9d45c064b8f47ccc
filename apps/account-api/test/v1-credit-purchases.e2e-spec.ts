import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@heliograph/database';
import { createControlApi, PaymentsSimulator } from '@heliograph/simulators';
import { verifyProcessorSignature } from '@heliograph/secrets';
import { AccountFixture, type Tenant } from './account-fixture';
import { CreditCalls } from './credit-calls';

interface Received {
  type: string;
  data: { object: Record<string, unknown> };
}

const SECRET = 'whsec_simulated';

describe('/api/v1/credits', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let credits: CreditCalls;
  let hook: Server;
  let received: Received[];
  const payments = new PaymentsSimulator({
    hookUrl: () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
    secret: SECRET,
  });
  const control = createControlApi({ payments });
  beforeAll(async () => {
    hook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const signature = String(request.headers['processor-signature']);
        expect(verifyProcessorSignature(signature, body, [SECRET], Math.floor(Date.now() / 1_000))).toBe('ok');
        received.push(JSON.parse(body.toString()) as Received);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const port = await control.start();
    fixture = await AccountFixture.start({
      BILLING_SECRET_KEY: 'sk_test',
      BILLING_API_URL: `http://127.0.0.1:${port}`,
    });
    await fixture.database.query(
      `INSERT INTO billing.credit_packages (key, credit_type, credits, amount, currency)
       VALUES ('sms-1000', 'sms', 1000, 20000, 'INR'), ('email-1', 'email', 1, 5, 'USD')`,
    );
  });
  beforeEach(async () => {
    received = [];
    tenant = await fixture.tenant();
    credits = new CreditCalls(fixture, tenant);
  });
  afterAll(async () => {
    await fixture.stop();
    await control.stop();
    hook.closeAllConnections();
    hook.close();
  });

  const purchase = (fields: Record<string, unknown> = {}, headers = {}, key = tenant.key) =>
    credits.call('POST', '/purchase', { credit_type: 'sms', package: 'sms-1000', ...fields }, key, headers);

  describe('POST /purchase', () => {
    it('creates a checkout that can be paid on its page', async () => {
      const { headers: _headers, ...made } = await purchase({
        quantity: 3,
        success_url: 'https://shop.example/thanks',
      });
      expect(made).toMatchObject({
        status: 'pending',
        credit_type: 'sms',
        credits: 3_000,
        amount: 60_000,
        currency: 'INR',
        workspace_id: tenant.workspace.id,
        package: 'sms-1000',
        quantity: 3,
        paid_at: null,
      });
      const url = String(made['checkout_url']);
      expect(url).toMatch(/\/cs_\w+$/);
      const page = await (await fetch(url)).text();
      expect(page).toContain('₹600.00');
      expect(page.match(/<button/g)).toHaveLength(1);
      expect((await fetch(url, { method: 'POST' })).status).toBe(200);
      await fetch(url, { method: 'POST' });
      expect(received).toMatchObject([
        {
          type: 'checkout.session.completed',
          data: {
            object: {
              client_reference_id: made['id'],
              payment_status: 'paid',
              amount_total: 60_000,
              currency: 'inr',
              metadata: { purchase_id: made['id'] },
            },
          },
        },
      ]);
      expect(await credits.call('GET', `/purchases/${String(made['id'])}`)).toMatchObject({
        ...made,
        status: 'pending',
      });
      expect((await credits.call('GET', '/purchases?status=pending')).data).toMatchObject([{ id: made['id'] }]);
      expect((await credits.call('GET', '/purchases?status=paid')).data).toEqual([]);
      const audit = await fixture.database.query<{ action: string }>(
        'SELECT action FROM audit.entries WHERE organization_id = $1',
        [tenant.organizationId],
      );
      expect(audit.map(({ action }) => action)).toEqual(['purchase.created']);
    });

    it('expires if no event arrives within an hour', async () => {
      const ids = [await purchase(), await purchase()].map(({ id }) => String(id));
      await fixture.database.query(
        `UPDATE billing.purchases SET expires_at = now() - interval '2 hours' WHERE id = $1`,
        [ids[0]],
      );
      const { PurchaseExpiry } = await import('../src/money/v1-credits/purchase-expiry');
      await fixture.service.app.get(PurchaseExpiry, { strict: false }).expire();
      const statuses = await Promise.all(ids.map(async (id) => (await credits.call('GET', `/purchases/${id}`)).status));
      expect(statuses).toEqual(['expired', 'pending']);
    });

    it('creates one checkout per Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': newId() };
      const first = await purchase({}, headers);
      const { headers: _one, ...again } = await purchase({}, headers);
      expect(first).toMatchObject(again);
      expect((await credits.call('GET', '/purchases')).data).toHaveLength(1);
    });

    it.each([
      [{ credit_type: 'gold' }, 'credit_type'],
      [{ credit_type: 'email' }, 'package'],
      [{ package: 'sms-1' }, 'package'],
      [{ package: { constructor: 1 } }, 'package'],
      [{ quantity: 0 }, 'quantity'],
      [{ quantity: -5 }, 'quantity'],
      [{ quantity: 101 }, 'quantity'],
      [{ quantity: 1.5 }, 'quantity'],
      [{ quantity: '2' }, 'quantity'],
      [{ success_url: 'javascript:alert(1)' }, 'success_url'],
      [{ success_url: 'http://evil.example/' }, 'success_url'],
      [{ success_url: '//evil.example' }, 'success_url'],
      [{ cancel_url: 'https://a@evil.example/' }, 'cancel_url'],
      [{ cancel_url: 5 }, 'cancel_url'],
      [{ cancel_url: 'https://shop.example/\0' }, 'cancel_url'],
      [{ success_url: 'https://shop.example/\u0007' }, 'success_url'],
      [{ success_url: 'https://shop.example/\u202ex' }, 'success_url'],
      [{ success_url: 'https://shop.example/\ud83d' }, 'success_url'],
    ])('rejects %j', async (fields, field) => {
      const answer = await purchase(fields);
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
      expect((await credits.call('GET', '/purchases')).data).toEqual([]);
    });

    it.each([{ amount: 1 }, { credits: 1_000_000 }, { currency: 'JPY' }])(
      'uses the price of the package and refuses %j of the caller',
      async (price) => {
        expect(await purchase(price)).toMatchObject({ status: 400, fields: [{ field: Object.keys(price)[0] }] });
        expect(await purchase({})).toMatchObject({ amount: 20_000, credits: 1_000, currency: 'INR' });
      },
    );

    it('accepts a return URL on a configured origin', async () => {
      expect(await purchase({ success_url: 'http://console.example/credits' })).toMatchObject({ status: 'pending' });
    });

    it('is allowed only for admins, and uses the workspace of a bound key', async () => {
      const body = { credit_type: 'sms', package: 'sms-1000' };
      for (const role of ['member', 'viewer'] as const) {
        const key = await fixture.factory.key(tenant.organizationId, { role });
        expect(await credits.statusOf('POST', '/purchase', body, key)).toBe(403);
      }
      const second = await fixture.factory.workspace(tenant.organizationId);
      const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: second.id });
      expect(await purchase({}, {}, bound)).toMatchObject({ workspace_id: second.id });
      const other = await fixture.tenant();
      expect(await credits.statusOf('POST', '/purchase', { ...body, workspace_id: other.workspace.id })).toBe(404);
    });

    it('of a bound key that names another workspace returns NOT_FOUND, and buys for neither', async () => {
      const second = await fixture.factory.workspace(tenant.organizationId);
      const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: second.id });
      for (const workspace_id of [tenant.workspace.id, tenant.workspace.id.toUpperCase(), newId(), 'x']) {
        expect(await purchase({ workspace_id }, {}, bound)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      }
      expect(await purchase({ workspace_id: second.id }, {}, bound)).toMatchObject({ workspace_id: second.id });
      for (const path of ['/balance', '/transactions', '/purchases']) {
        const other = `${path}?workspace_id=${tenant.workspace.id}`;
        expect([path, await credits.statusOf('GET', other, undefined, bound)]).toEqual([path, 404]);
        const own = `${path}?workspace_id=${second.id}`;
        expect([path, await credits.statusOf('GET', own, undefined, bound)]).toEqual([path, 200]);
      }
      expect((await credits.call('GET', '/purchases')).data).toMatchObject([{ workspace_id: second.id }]);
    });
  });
});

describe('POST /api/v1/credits/purchase without a key of the payment processor', () => {
  it('returns BILLING_NOT_CONFIGURED', async () => {
    const fixture = await AccountFixture.shared();
    const { key } = await fixture.tenant();
    const body = { credit_type: 'sms', package: 'x' };
    const answer = await fixture.call('POST', '/api/v1/credits/purchase', { key, body });
    expect(answer).toMatchObject({ status: 503, error: { code: 'BILLING_NOT_CONFIGURED' } });
  });
});
