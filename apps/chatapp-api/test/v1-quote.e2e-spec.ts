import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

interface Quote {
  verdict: string;
  credits_cost: number;
  currency: string;
  credits_available: number;
  checks: { name: string; result: string; message: string | null }[];
}

describe('POST /api/v1/chatapp/quote', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant({ credits: 1_000 });
  });

  const quote = async (body: object, { key }: ChatappTenant = tenant) => {
    const response = await fetch(`${chatapp.url}/api/v1/chatapp/quote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Quote };
  };
  const failedOf = ({ checks }: Quote) => checks.find(({ result }) => result === 'failed');

  it('agrees with sends that are accepted, and changes nothing', async () => {
    const name = await chatapp.template(null);
    const open = await chatapp.openNumber();
    for (const body of [
      { to: newNumber(), type: 'template', template: { name } },
      { to: open, text: 'Hi' },
    ]) {
      const quoted = await quote(body);
      expect(
        await chatapp.rows('SELECT FROM chatapp.messages WHERE recipient = $1 AND direction = $2', [
          body.to,
          'outbound',
        ]),
      ).toEqual([]);
      const { status, body: sent } = await chatapp.send(tenant, body);
      expect([status, quoted.status, quoted.body.verdict]).toEqual([200, 200, 'ok']);
      expect(quoted.body).toMatchObject({ credits_cost: sent['price'], currency: sent['currency'] });
    }
  });

  it('agrees with sends that are refused', async () => {
    const out = newNumber();
    await chatapp.consent(tenant.organizationId, out, 'opted_out');
    const poor = await chatapp.tenant({ credits: 1 });
    const name = await chatapp.template(null);
    const foreign = await chatapp.template((await chatapp.tenant()).organizationId);
    for (const [own, body, check] of [
      [tenant, { to: newNumber(), text: 'Hi' }, 'content'],
      [tenant, { to: out, text: 'Hi' }, 'consent'],
      [tenant, { to: newNumber(), type: 'template', template: { name: foreign } }, 'content'],
      [poor, { to: newNumber(), type: 'template', template: { name } }, 'credits'],
    ] as const) {
      const quoted = await quote(body, own);
      const sent = await chatapp.send(own, body);
      const failed = failedOf(quoted.body);
      expect([quoted.body.verdict, failed?.name]).toEqual(['refused', check]);
      expect(failed?.message).toBe(`${String(sent.body['code'])}: ${String(sent.body['message'])}`);
    }
  });

  it('reports mistakes in the request as the send does', async () => {
    const body = { to: newNumber(), type: 'smell' };
    const [quoted, sent] = [await quote(body), await chatapp.send(tenant, body)];
    expect([quoted.status, quoted.body]).toEqual([sent.status, sent.body]);
  });
});
