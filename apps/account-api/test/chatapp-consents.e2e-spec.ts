import type { ChatappConsentPage, OneChatappConsent } from '../src/channels/chatapp/consents/consents.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const CONSENTS = '/api/organization/chatapp/consents';
const NUMBER = '+919811111111';

describe('a chat-app consent', () => {
  let fixture: AccountFixture;
  /** A new tenant for each test. */
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const record = (body: object, key = tenant.key) => fixture.call<OneChatappConsent>('POST', CONSENTS, { key, body });
  const list = async (query = '', key = tenant.key) =>
    (await fixture.call<ChatappConsentPage>('GET', `${CONSENTS}${query}`, { key })).data;
  /** Stores a consent that was revoked with the keyword STOP. */
  const optOut = () =>
    fixture.database.query(
      `INSERT INTO chatapp.consents (id, organization_id, number, status, source, keyword_at)
       VALUES (gen_random_uuid(), $1, $2, 'opted_out', 'keyword_stop', now())`,
      [tenant.organizationId, NUMBER],
    );

  it('is recorded under the normalized number and publishes an event', async () => {
    const { status, data } = await record({ number: NUMBER.slice(1), status: 'opted_in', note: 'Signed.' });
    const { id, createdAt, updatedAt } = data.consent;
    expect(status).toBe(200);
    expect(data.consent).toEqual({
      id,
      number: NUMBER,
      status: 'opted_in',
      source: 'account',
      note: 'Signed.',
      createdAt,
      updatedAt,
    });
    expect((await record({ number: NUMBER, status: 'opted_out' })).data.consent).toMatchObject({
      id,
      status: 'opted_out',
      note: null,
    });
    expect(await list()).toMatchObject({ consents: [{ id, status: 'opted_out' }] });
    const events = await fixture.database.query<{ data: object }>(
      `SELECT payload::json -> 'data' AS data FROM messaging.outbox
       WHERE type = 'chatapp.consent.changed' AND payload::json ->> 'organizationId' = $1`,
      [tenant.organizationId],
    );
    for (const { data: told } of events) expect(told).toMatchObject({ consentId: id, number: NUMBER });
    const path = `/api/organization/audit-log?targetId=${encodeURIComponent(NUMBER)}`;
    const log = await fixture.call<{ entries: object[] }>('GET', path, { key: tenant.key });
    expect(log.data.entries).toMatchObject([
      { action: 'chatapp.consent.recorded', before: { status: 'opted_in' }, after: { status: 'opted_out' } },
      { action: 'chatapp.consent.recorded', before: null, after: { status: 'opted_in' } },
    ]);
  });

  it('that was revoked by a keyword can be granted again only with a note', async () => {
    await optOut();
    const refused = await record({ number: NUMBER, status: 'opted_in' });
    expect(refused).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    expect(refused.error.message).toContain('note');
    expect((await list()).consents).toMatchObject([{ status: 'opted_out', source: 'keyword_stop' }]);
    const note = 'Asked for it on the telephone.';
    expect((await record({ number: NUMBER, status: 'opted_in', note })).data.consent).toMatchObject({
      status: 'opted_in',
      source: 'account',
      note,
    });
  });

  it('is listed by number and status in pages, for its own organization only', async () => {
    const other = await fixture.tenant();
    await record({ number: '+919811111113', status: 'opted_in' }, other.key);
    for (const [number, status] of [
      ['+919811111112', 'opted_in'],
      ['+919811111111', 'opted_out'],
      ['+919811111113', 'opted_in'],
    ]) {
      await record({ number, status });
    }
    const numbersOf = ({ consents }: ChatappConsentPage) => consents.map(({ number }) => number.slice(-1));
    const first = await list('?limit=2');
    expect(numbersOf(first)).toEqual(['1', '2']);
    expect(numbersOf(await list(`?limit=2&cursor=${first.nextCursor}`))).toEqual(['3']);
    expect(numbersOf(await list('?status=opted_in'))).toEqual(['2', '3']);
    for (const number of ['%2B919811111112', '919811111112', '+919811111112']) {
      expect(numbersOf(await list(`?number=${number}`))).toEqual(['2']);
    }
    expect((await list('', other.key)).consents).toHaveLength(1);
    for (const query of ['?number=x', '?number=', '?status=x', '?cursor=%00']) {
      expect((await fixture.call('GET', `${CONSENTS}${query}`, { key: tenant.key })).status).toBe(422);
    }
  });

  it.each([
    ['number', { status: 'opted_in' }],
    ['number', { number: '09811111111', status: 'opted_in' }],
    ['number', { number: 919_811_111_111, status: 'opted_in' }],
    ['status', { number: NUMBER }],
    ['status', { number: NUMBER, status: 'maybe' }],
    ['note', { number: NUMBER, status: 'opted_in', note: ' ' }],
    ['note', { number: NUMBER, status: 'opted_in', note: 1 }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await record(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });
});
