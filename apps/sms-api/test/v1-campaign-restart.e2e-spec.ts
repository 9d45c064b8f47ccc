import { until } from '@heliograph/testing';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const CONTACTS = 4_000;

describe('a campaign whose workers stop and start', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.start();
    tenant = await sms.tenant({ credits: 100_000 });
    await sms.database.query(
      `INSERT INTO contacts.contacts (id, organization_id, phone, source)
       SELECT gen_random_uuid(), $1, '+91987' || (1000000 + n), 'import' FROM generate_series(1, ${CONTACTS}) AS n`,
      [tenant.organizationId],
    );
  });
  afterAll(() => sms.stop());

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${sms.url}/api/v1/sms/campaigns${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as { id: string; status: string; counts: Record<string, number> };
  };

  it('sends one message to each contact, and is charged accordingly in the ledger', async () => {
    const second = await sms.beside();
    const { id } = await call('POST', '', {
      name: 'All',
      sender_id: tenant.sender.id,
      template_id: tenant.template.name,
      variables: { code: '{{ phone }}' },
      audience: { filter: {} },
    });
    await until('the campaign has started', async () => (await call('GET', `/${id}`)).counts['queued']! > 0);
    await second.service.stop();
    await sms.restart();
    await until('the campaign is completed', async () => (await call('GET', `/${id}`)).status === 'completed', {
      timeoutMs: 60_000,
    });
    const [sent] = await sms.database.query(
      `SELECT count(*)::int AS messages, count(DISTINCT recipient)::int AS recipients, sum(credits_cost)::int AS cost
       FROM sms.messages WHERE campaign_id = $1`,
      [id],
    );
    expect(sent).toEqual({ messages: CONTACTS, recipients: CONTACTS, cost: CONTACTS });
    const [ledger] = await sms.database.query(
      `SELECT -sum(amount)::int AS spent FROM credits.ledger WHERE workspace_id = $1 AND kind = 'charge'`,
      [tenant.workspaceId],
    );
    expect(ledger).toEqual({ spent: CONTACTS });
    expect(await call('GET', `/${id}`)).toMatchObject({
      counts: { audience: CONTACTS, queued: CONTACTS, skipped: 0 },
      credits_spent: CONTACTS,
    });
    expect(await sms.database.query('SELECT FROM campaigns.members WHERE campaign_id = $1', [id])).toEqual([]);
  });
});
