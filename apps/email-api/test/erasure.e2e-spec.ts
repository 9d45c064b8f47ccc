import { poolOf } from '@heliograph/database';
import { Erasures, readPersonAddress, type BlockedChannel } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import { reportOf, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const KEYS = 'person-hash-key-of-the-tests-0123456789';
const LATER = '2099-01-01T00:00:00Z';

describe('the erasure of a person by email address', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.start({ environment: { PERSON_HASH_KEYS: KEYS } });
    tenant = await email.tenant();
  });
  afterAll(() => email.stop());

  const send = (to: string | string[], more: object = {}) =>
    sendOk(email, tenant.key, { to, subject: 'secret', text: 'secret', ...more });
  const stored = async (id: string) =>
    (
      await email.rows<{ subject: string; text: string | null }>(
        'SELECT subject, text FROM email.messages WHERE id = $1',
        [id],
      )
    )[0]!;
  const erase = async (address: string, blocked: BlockedChannel[] = []) => {
    const { dataSource } = email.tenants;
    const erasures = new Erasures(poolOf(dataSource), { PERSON_HASH_KEYS: [KEYS] });
    const person = readPersonAddress(address)!;
    const { id } = await dataSource.transaction((transaction) =>
      erasures.request(transaction, tenant.organizationId, person, null, blocked),
    );
    await until('email-api has finished', async () => {
      const { pending } = await erasures.read(tenant.organizationId, id);
      return !pending.includes('email-api');
    });
  };
  const MASK = /^erased:[0-9a-f]{32}$/;

  it('masks sends and deletes their content, unless the content was also sent to others', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    const alone = await send(ann);
    const shared = await send([ann, bob]);
    const bobs = await send(bob);
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, lower($2), $2, 'bounced')`,
      [tenant.organizationId, ann],
    );
    await erase(ann.toUpperCase().replace('EXAMPLE.COM', 'example.com'));
    expect(await stored(alone.id)).toEqual({ subject: '', text: null });
    expect((await reportOf(email, tenant.key, alone.id)).to).toMatch(MASK);
    expect((await stored(shared.id)).subject).toBe('secret');
    const to = (await reportOf(email, tenant.key, shared.id)).to.split(', ');
    expect([to[0], to[1]]).toEqual([expect.stringMatching(MASK), bob]);
    expect((await stored(bobs.id)).subject).toBe('secret');
    const everything = await email.rows(
      `SELECT 1 FROM email.recipients WHERE lower(address) = lower($1)
       UNION ALL SELECT 1 FROM email.suppressions WHERE address_key = lower($1)`,
      [ann],
    );
    expect(everything).toEqual([]);
  });

  it('skips the person in later sends, without storing the address', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    await erase(ann, ['email']);
    const before = await email.balance(tenant.workspaceId);
    const answer = await send([ann, bob]);
    expect(answer).toMatchObject({ sentCount: 1, skippedCount: 1 });
    expect(answer.results[0]).toMatchObject({ to: ann, skipped: true });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
    expect(await email.rows('SELECT 1 FROM email.recipients WHERE address = $1', [ann])).toEqual([]);
    expect(await email.mailbox.messages(ann)).toEqual([]);
  });

  it('keeps a suppressed person suppressed, and leaves later sends to all others', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, lower($2), $2, 'unsubscribed')`,
      [tenant.organizationId, ann],
    );
    await erase(ann);
    await erase(bob);
    expect(await send([ann, bob])).toMatchObject({ sentCount: 1, skippedCount: 1 });
    await until('the mail to the person is delivered', async () => (await email.mailbox.messages(bob)).length === 1);
    expect(await email.rows('SELECT 1 FROM email.recipients WHERE address = $1', [bob])).toHaveLength(1);
  });

  it('removes the address from references, tags and headers', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    const alone = await send(ann);
    const shared = await send([ann, bob]);
    for (const { id } of [alone, shared]) {
      await email.rows(
        `UPDATE email.messages SET reference = $2, tags = ARRAY[$2, 'news'], headers = jsonb_build_object('X-For', $2, 'X-Kind', 'news')
         WHERE id = $1`,
        [id, `for ${ann.toUpperCase()}`],
      );
    }
    await erase(ann);
    const labels = (id: string) =>
      email.rows('SELECT reference, tags, headers FROM email.messages WHERE id = $1', [id]);
    expect(await labels(alone.id)).toEqual([{ reference: null, tags: [], headers: null }]);
    expect(await labels(shared.id)).toEqual([{ reference: null, tags: ['news'], headers: { 'X-Kind': 'news' } }]);
  });

  it('masks the address or number in the subjects of mails to others', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    const number = '+4915112345670';
    const subject = `For ${ann.toUpperCase()}, +4915112345670 or 4915112345670; not jo${ann}, ${ann}.au and 04915112345670`;
    const sends = [await send([ann, bob], { subject }), await send(bob, { subject })];
    await erase(ann);
    for (const { id } of sends) {
      expect((await stored(id)).subject).toMatch(
        new RegExp(`^For erased:[0-9a-f]{32}, \\+4915112345670 or 4915112345670; not jo${ann}, ${ann}\\.au and`),
      );
    }
    await erase(number);
    for (const { id } of sends) {
      expect((await stored(id)).subject).toMatch(
        /, erased:[0-9a-f]{32} or erased:[0-9a-f]{32}; .* and 04915112345670$/,
      );
    }
  });

  it('refunds scheduled sends to the person when they are due', async () => {
    const ann = email.recipient('ann');
    const bob = email.recipient('bob');
    const before = await email.balance(tenant.workspaceId);
    const both = await send([ann, bob], { scheduledAt: LATER });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 2);
    await erase(ann);
    const { rows } = await poolOf(email.tenants.dataSource).query<{
      outcome: string;
      recipients: { address: string }[];
    }>('SELECT outcome, recipients FROM email.claim($1, 60000, 2)', [both.id]);
    expect(rows[0]).toMatchObject({ outcome: 'claimed', recipients: [{ address: bob }] });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
  });
});
