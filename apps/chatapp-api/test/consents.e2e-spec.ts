import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

describe('consents', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant();
  });

  const record = (body: unknown, key = tenant.key) => chatapp.post(key, '/chatapp/consents', body);

  it('are recorded, opted in by default, and returned as exactly the record', async () => {
    const number = newNumber();
    const answer = await record({ number: number.slice(1) });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: expect.any(String) as string,
        number,
        status: 'opted_in',
        source: 'public_api',
        note: null,
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string,
      },
    ]);
    const again = await record({ number, status: 'pending', source: 'web form', note: 'asked twice' });
    expect(again.body).toMatchObject({
      id: answer.body['id'],
      status: 'pending',
      source: 'web form',
      note: 'asked twice',
    });
  });

  it('are listed by the time of the last change, newest first, at most 500, and for each organization separately', async () => {
    const own = await chatapp.tenant();
    await chatapp.rows(
      `INSERT INTO chatapp.consents (id, organization_id, number, status, source, updated_at)
       SELECT gen_random_uuid(), $1, '+1' || n, 'opted_in', 'api', now() - n * interval '1 minute'
       FROM generate_series(1, 520) AS n`,
      [own.organizationId],
    );
    await record({ number: '+919811111111' }, own.key);
    const { body } = await chatapp.call('/api/chatapp/consents', { key: own.key });
    const consents = body['consents'] as { number: string }[];
    expect(consents.map(({ number }) => number).slice(0, 3)).toEqual(['+919811111111', '+11', '+12']);
    expect(consents).toHaveLength(500);
  });

  it.each<[string, string, unknown]>([
    ['a missing number', 'INVALID_NUMBER', {}],
    ['an invalid number', 'INVALID_NUMBER', { number: 'Ann' }],
    ['a number that is not text', 'INVALID_NUMBER', { number: 919_811_111_111 }],
    ['an unknown status', 'INVALID_STATUS', { number: '+919811111111', status: 'maybe' }],
    ['a status that is not text', 'INVALID_STATUS', { number: '+919811111111', status: 1 }],
    ['a source that is not text', 'INVALID_REQUEST', { number: '+919811111111', source: {} }],
    ['a source with several lines', 'INVALID_REQUEST', { number: '+919811111111', source: 'a\nb' }],
    ['a body that is not JSON', 'INVALID_REQUEST', 'number=1'],
  ])('are rejected with %s: %s', async (_, code, body) => {
    const answer = await record(body);
    expect([answer.status, Object.keys(answer.body), answer.body['code']]).toEqual([400, ['code', 'message'], code]);
  });
});
