import { poolOf } from '@heliograph/database';
import { Erasures, readPersonAddress } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';

const KEYS = 'person-hash-key-of-the-tests-0123456789';

describe('the erasure of a person by number', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start({ environment: { PERSON_HASH_KEYS: KEYS } });
    tenant = await chatapp.tenant();
  });
  afterAll(() => chatapp.stop());

  it('masks messages of both directions, deletes consents, and prevents further messages', async () => {
    const ann = await chatapp.openNumber();
    const bob = await chatapp.openNumber();
    for (const to of [ann, bob]) expect((await chatapp.send(tenant, { to, text: 'Hi' })).status).toBe(200);
    await chatapp.inbound(ann, { text: 'secret', media_id: '4711' });
    await chatapp.consent(tenant.organizationId, ann, 'opted_out');
    const { dataSource } = chatapp.tenants;
    const erasures = new Erasures(poolOf(dataSource), { PERSON_HASH_KEYS: [KEYS] });
    const { id } = await dataSource.transaction((transaction) =>
      erasures.request(transaction, tenant.organizationId, readPersonAddress(ann)!, null),
    );
    await until('chatapp-api has finished', async () => {
      const { pending } = await erasures.read(tenant.organizationId, id);
      return !pending.includes('chatapp-api');
    });
    const own = await chatapp.rows<{ recipient: string; sender: string; payload: unknown; media_id: string | null }>(
      'SELECT * FROM chatapp.messages WHERE organization_id = $1',
      [tenant.organizationId],
    );
    expect(JSON.stringify(own)).not.toContain(ann);
    expect(JSON.stringify(own)).not.toContain('secret');
    expect(own.filter(({ recipient, sender }) => `${recipient}${sender}`.includes('erased:')).length).toBeGreaterThan(
      2,
    );
    expect(JSON.stringify(own)).toContain(bob);
    expect(
      await chatapp.rows(
        `SELECT 1 FROM chatapp.consents WHERE number = $1 UNION ALL SELECT 1 FROM chatapp.numbers WHERE number = $1
         UNION ALL SELECT 1 FROM chatapp.number_aliases WHERE number = $1 OR upstream_number = $1`,
        [ann],
      ),
    ).toEqual([]);
    const template = await chatapp.template(null);
    const again = { to: ann, type: 'template', template: { name: template } };
    const refused = await chatapp.send(tenant, again);
    expect([refused.status, refused.body['code']]).toEqual([409, 'RECIPIENT_OPTED_OUT']);
    expect((await chatapp.send(await chatapp.tenant(), again)).status).toBe(200);
    expect((await chatapp.send(tenant, { to: bob, text: 'Hi' })).status).toBe(200);
  });
});
