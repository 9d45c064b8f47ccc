import { generateKey } from '@heliograph/auth';
import { newId, testIdOf } from '@heliograph/database';
import { generateDkimKey, putTestCatalog } from '@heliograph/email-catalog';
import { TenancyService } from '@heliograph/tenancy';
import { expectEventually, unique, until } from '@heliograph/testing';
import type { EmailFixture } from './email-fixture';
import { V1Calls, type Fields } from './v1-calls';

/** Outcomes by mailbox, as docs/guides/test-mode.md lists them: the status, the types of the events, and the error. */
const OUTCOMES: Readonly<Record<string, readonly [string, readonly string[], RegExp | null]>> = {
  delivered: ['delivered', ['delivered'], null],
  accepted: ['sent', [], null],
  bounced: ['bounced', ['bounced'], null],
  'soft-bounced': ['bounced', ['bounced'], null],
  complained: ['delivered', ['delivered', 'complained'], null],
  unsubscribed: ['delivered', ['delivered', 'unsubscribed'], null],
  opened: ['delivered', ['delivered', 'opened'], null],
  clicked: ['delivered', ['delivered', 'opened', 'clicked'], null],
  refused: ['failed', [], /550 5\.1\.1/],
  full: ['failed', [], /552 5\.2\.2/],
  blocked: ['failed', [], /550 5\.7\.1/],
  unreachable: ['deferred', [], /451 4\.4\.1/],
  slow: ['delivered', ['delivered'], null],
  throttled: ['delivered', ['delivered'], null],
  suppressed: ['skipped', [], null],
};
/** What is not sent costs nothing. */
const FREE = ['refused', 'full', 'blocked', 'suppressed'];
const SUPPRESSED = ['bounced', 'complained', 'refused', 'suppressed', 'unsubscribed'];

interface RecipientFields {
  to: string;
  status: string;
  error: { message: string } | null;
  events: { type: string }[];
}

describe('email of test mode', () => {
  const subject = `Test ${unique()}`;
  let v1: V1Calls;
  let email: EmailFixture;
  let organizationId: string;
  let workspaceId: string;
  let key: string;

  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email } = v1);
    organizationId = testIdOf(v1.tenant.organizationId);
    workspaceId = testIdOf(v1.tenant.workspaceId);
    await email.tenants.dataSource.transaction(async (transaction) => {
      await new TenancyService().createTestOrganization(transaction, v1.tenant.organizationId, null);
      await putTestCatalog(email.catalog, transaction, organizationId, await generateDkimKey());
    });
    await email.tenants.topUp({ id: workspaceId, organizationId }, 'email', 1_000);
    key = await email.tenants.key(organizationId, { secret: generateKey('msg', 'test') });
  });

  /** Nothing of a test reaches the mail server. */
  afterAll(async () => {
    expect((await email.mailbox.messages()).filter((mail) => mail.subject === subject)).toEqual([]);
  });

  const recipientsOf = async (id: string) =>
    (await v1.get(`/messages/${id}`, key)).body['recipients'] as RecipientFields[];

  it('gives each mail the outcome of its address, on the balance of the test workspace', async () => {
    const live = await email.balance(v1.tenant.workspaceId);
    const mailboxes = Object.keys(OUTCOMES);
    const to = mailboxes.map((mailbox) => `${mailbox}+${unique()}@simulator.test`);
    to[mailboxes.indexOf('suppressed')] = 'suppressed@simulator.test';
    const { status, body } = await v1.post('/send', { to, subject, text: 'Hello', tags: ['test'] }, key);
    expect(status).toBe(202);
    const expected = mailboxes.map((mailbox, index) => {
      const [outcome, types] = OUTCOMES[mailbox]!;
      return { to: to[index], status: outcome, types };
    });
    const id = String(body['id']);
    const outcomes = async () =>
      (await recipientsOf(id)).map((each) => ({
        to: each.to,
        status: each.status,
        types: each.events.map(({ type }) => type),
      }));
    await expectEventually(outcomes, expected, { everyMs: 100 });
    const found = await recipientsOf(id);
    for (const [index, mailbox] of mailboxes.entries()) {
      const error = OUTCOMES[mailbox]![2];
      if (error !== null) expect(JSON.stringify(found[index]!.error)).toMatch(error);
    }
    expect(await email.balance(workspaceId)).toBe(1_000 - mailboxes.length + FREE.length);
    expect(await email.balance(v1.tenant.workspaceId)).toBe(live);
    expect(await v1.listed('/messages')).toEqual([]);
    const suppressions = await email.rows<{ address: string }>(
      'SELECT address FROM email.suppressions WHERE organization_id = $1 ORDER BY address',
      [organizationId],
    );
    expect(suppressions.map(({ address }) => address.split(/[+@]/)[0])).toEqual(SUPPRESSED);
  });

  it('sends and repeats mails when the clock of the test organization is advanced', async () => {
    const advance = (by: string) => email.rows('SELECT tenancy.advance_clock($1, $2::interval)', [organizationId, by]);
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    const to = `unreachable+${unique()}@simulator.test`;
    const { body } = await v1.post('/send', { to, subject, text: 'Hello', scheduled_at }, key);
    const statusOf = async () => (await recipientsOf(String(body['id'])))[0]!.status;
    expect(await statusOf()).toBe('scheduled');
    await advance('1 day');
    await expectEventually(statusOf, 'deferred');
    // Retries end after some days.
    await advance('4 days');
    await expectEventually(statusOf, 'bounced');
  });

  it('sends the mails of a campaign to no mail server', async () => {
    const groupId = newId();
    await email.rows('INSERT INTO contacts.groups (id, organization_id, name) VALUES ($1, $2, $3)', [
      groupId,
      organizationId,
      'all',
    ]);
    for (const mailbox of ['delivered', 'bounced']) {
      const id = newId();
      await email.rows(
        `INSERT INTO contacts.contacts (id, organization_id, email, source) VALUES ($1, $2, $3, 'api')`,
        [id, organizationId, `${mailbox}+${unique()}@simulator.test`],
      );
      await email.rows('INSERT INTO contacts.memberships VALUES ($1, $2)', [groupId, id]);
    }
    const campaign = { name: 'Test', subject, text: 'Hello', audience: { group_ids: [groupId] } };
    const { body } = await v1.post('/campaigns', campaign, key);
    await until('the campaign is completed', async () => {
      const read = (await v1.get(`/campaigns/${String(body['id'])}`, key)).body;
      const counts = read['counts'] as Fields;
      return read['status'] === 'completed' && counts['delivered'] === 1 && counts['bounced'] === 1;
    });
  });
});
