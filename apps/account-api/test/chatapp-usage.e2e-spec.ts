import { newId } from '@heliograph/database';
import type { ChatappAllowanceUsageList, OneChatappWindow } from '../src/channels/chatapp/usage/usage.dto';
import type { ChatappTemplatePage } from '../src/channels/chatapp/templates/templates.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const PHONE_NUMBER_ID = '100000000000001';
const DIALED = '+5511987654321';
const UPSTREAM = '+551187654321';

describe('the chat-app usage of a workspace', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ CHATAPP_PHONE_NUMBER_ID: PHONE_NUMBER_ID });
    tenant = await fixture.tenant();
  });
  afterAll(() => fixture.stop());

  const getChatapp = <T>(what: string, { workspace, key } = tenant) =>
    fixture.call<T>('GET', `/api/workspaces/${workspace.id}/chatapp/${what}`, { key });
  const windowOf = async (number: string, of = tenant) =>
    (await getChatapp<OneChatappWindow>(`window?number=${encodeURIComponent(number)}`, of)).data.window;
  const accountId = async () => {
    const [account] = await fixture.database.query<{ id: string }>(
      'SELECT id FROM chatapp.accounts WHERE phone_number_id = $1',
      [PHONE_NUMBER_ID],
    );
    return account!.id;
  };
  const wrote = async (number: string, ago: string) =>
    fixture.database.query(
      `INSERT INTO chatapp.numbers (account_id, number, last_inbound_at) VALUES ($1, $2, now() - $3::interval)
       ON CONFLICT (account_id, number) DO UPDATE SET last_inbound_at = excluded.last_inbound_at`,
      [await accountId(), number, ago],
    );

  it('contains the free allowances and their remaining amounts', async () => {
    const { workspace } = tenant;
    const month = new Date().toISOString().slice(0, 7);
    const allowances = async () => (await getChatapp<ChatappAllowanceUsageList>('allowances')).data.allowances;
    const never = { isFree: false, monthlyLimit: null, used: 0, remaining: 0, month };
    const always = { isFree: true, monthlyLimit: null, used: 0, remaining: null, month };
    const service = { category: 'service', isFree: true, monthlyLimit: 1000, used: 0, remaining: 1000, month };
    const others = [
      { category: 'marketing', ...never },
      { category: 'utility', ...always },
      { category: 'authentication', ...never },
    ];
    expect(await allowances()).toEqual([...others, service]);
    await fixture.database.query(
      `INSERT INTO chatapp.allowance_uses (workspace_id, category, month, used)
       VALUES ($1, 'service', date_trunc('month', now() AT TIME ZONE 'UTC'), 7), ($1, 'service', '2020-01-01', 9)`,
      [workspace.id],
    );
    expect(await allowances()).toEqual([...others, { ...service, used: 7, remaining: 993 }]);
    const other = await getChatapp<ChatappAllowanceUsageList>('allowances', await fixture.tenant());
    expect(other.data.allowances).toContainEqual(service);
  });

  it('contains the open conversation window of a number for each of its aliases', async () => {
    const closed = { open: false, openUntil: null, lastInboundAt: null, optedOut: false };
    expect(await windowOf(DIALED)).toEqual({ number: DIALED, ...closed });
    await fixture.database.query(
      'INSERT INTO chatapp.number_aliases (account_id, number, upstream_number) VALUES ($1, $2, $3)',
      [await accountId(), DIALED, UPSTREAM],
    );
    await wrote(UPSTREAM, '23 hours');
    for (const number of [DIALED, UPSTREAM, UPSTREAM.slice(1)]) {
      const chatWindow = await windowOf(number);
      expect(chatWindow).toMatchObject({ open: true, optedOut: false });
      expect(Date.parse(chatWindow.openUntil!) - Date.parse(chatWindow.lastInboundAt!)).toBe(24 * 3_600_000);
      expect(Date.parse(chatWindow.openUntil!)).toBeGreaterThan(Date.now());
    }
    await wrote(UPSTREAM, '24 hours');
    expect(await windowOf(DIALED)).toEqual({ number: DIALED, ...closed });
  });

  it('contains the opt-outs of its own organization for each alias of the number', async () => {
    const body = { number: UPSTREAM, status: 'opted_out' };
    await fixture.call('POST', '/api/organization/chatapp/consents', { key: tenant.key, body });
    for (const number of [DIALED, UPSTREAM]) expect(await windowOf(number)).toMatchObject({ optedOut: true });
    expect(await windowOf(DIALED, await fixture.tenant())).toMatchObject({ optedOut: false });
  });

  it.each(['window', 'window?number=', 'window?number=x'])('rejects the request %s', async (what) => {
    expect(await getChatapp(what)).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
  });

  it('returns CHATAPP_NOT_CONFIGURED without a sending number', async () => {
    const bare = await AccountFixture.shared();
    const { workspace, key } = await bare.tenant();
    const path = `/api/workspaces/${workspace.id}/chatapp/window?number=919811111111`;
    expect(await bare.call('GET', path, { key })).toMatchObject({
      status: 503,
      error: { code: 'CHATAPP_NOT_CONFIGURED' },
    });
  });

  it('lists the templates of its organization and the shared templates', async () => {
    const { organizationId, key } = tenant;
    for (const [name, owner, status] of [
      ['mine', organizationId, 'PENDING'],
      ['everybodys', null, 'APPROVED'],
      ['theirs', newId(), 'APPROVED'],
    ]) {
      await fixture.database.query(
        `INSERT INTO chatapp.templates
           (id, account_id, organization_id, name, language, category, status, components, upstream_id)
         VALUES ($1, $2, $3, $4, 'en', 'utility', $5, '[{"type": "BODY", "text": "Hello"}]', 'u')`,
        [newId(), newId(), owner, name, status],
      );
    }
    const list = async (query: string) => {
      const path = `/api/organization/chatapp/templates${query}`;
      return (await fixture.call<ChatappTemplatePage>('GET', path, { key })).data;
    };
    const [mine, everybodys] = (await list('')).templates;
    expect(mine).toMatchObject({ name: 'mine', language: 'en', status: 'PENDING', isOwn: true });
    expect(everybodys).toMatchObject({
      name: 'everybodys',
      isOwn: false,
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    expect((await list('?status=APPROVED')).templates).toEqual([everybodys]);
    const first = await list('?limit=1');
    expect(first.templates).toEqual([mine]);
    expect(await list(`?limit=1&cursor=${first.nextCursor}`)).toEqual({ templates: [everybodys] });
  });
});
