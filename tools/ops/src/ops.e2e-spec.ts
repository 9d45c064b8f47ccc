import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authMigrations, generateKey } from '@heliograph/auth';
import { creditsMigrations, post, type LedgerPosting } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { auditMigrations, tenancyMigrations, personsMigrations } from '@heliograph/tenancy';
import { messagingMigrations } from '@heliograph/messaging';
import { DKIM_PRIVATE_KEY, emailCatalogMigrations } from '@heliograph/email-catalog';
import { hashToken, KeyRing } from '@heliograph/secrets';
import { LOCAL_SECRETS } from '@heliograph/service-kit';
import { TOTP_SECRET, usersMigrations } from '@heliograph/users';
import { webhooksMigrations } from '@heliograph/webhooks';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import { Client } from 'pg';
import { ops, opsProcess } from './ops-runs.fixture';

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const ringOf = (text: string): KeyRing => KeyRing.parse(text, 'SECRETS_KEYS')!;

describe('npm run ops', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([
      messagingMigrations,
      webhooksMigrations,
      creditsMigrations,
      tenancyMigrations,
      authMigrations,
      auditMigrations,
      personsMigrations,
      usersMigrations,
      emailCatalogMigrations,
    ]);
  });
  afterAll(() => database.drop());

  it('prints the help without arguments', async () => {
    const { code, lines } = await ops(database.url, []);
    expect(code).toBe(0);
    for (const command of ['dead-letters list', 'dead-letters replay', 'reconcile'])
      expect(lines.join('\n')).toContain(command);
  });

  it('migrates the schemas of all services, and creates the login of a service', async () => {
    const empty = await createTestDatabase([]);
    const user = `ops_${randomBytes(6).toString('hex')}`;
    const login = Object.assign(new URL(empty.url), { username: user, password: 'chosen' }).href;
    try {
      const { code, lines, errors } = await ops(empty.url, ['migrate'], { SMS_API_DATABASE_URL: login });
      expect([code, errors, lines.at(-1)]).toEqual([0, '', 'the schemas are up to date']);
      expect(lines).toContain(`sms-api: the login ${user} has its privileges`);
      const client = new Client({ connectionString: login });
      await client.connect();
      await client.query('SELECT FROM sms.messages LIMIT 1');
      await expect(client.query('SELECT * FROM users.users LIMIT 1')).rejects.toThrow('permission denied');
      await client.end();
      // A second run changes nothing.
      expect(await ops(empty.url, ['migrate'])).toMatchObject({ code: 0, lines: ['the schemas are up to date'] });
    } finally {
      const admin = new Client({ connectionString: empty.url });
      await admin.connect();
      await admin.query(`DROP ROLE IF EXISTS ${user}`);
      await admin.end();
      await empty.drop();
    }
  }, 120_000);

  it('applies a provisioning file', async () => {
    const missing = await ops(database.url, ['provision', '/nowhere/acme.yaml']);
    expect([missing.code, missing.errors]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  it.each([
    [['dead-letters', 'lists'], 'Unknown command: dead-letters lists'],
    [['dead-letters', 'list'], 'Specify one queue'],
    [['dead-letters', 'list', 'sms-api.send', 'all'], 'positive integer'],
    [['reconcile', 'sms'], 'reconcile takes no arguments'],
    [['reseal', 'now'], 'reseal takes no arguments'],
    [['migrate', 'sms-api'], 'migrate takes no arguments'],
    [['provision'], 'provision needs one file'],
    [['revoke-key'], 'revoke-key needs one file'],
    [['erase', 'acme'], 'erase needs the slug of an organization'],
    [['erase', 'acme', 'nobody'], 'erase needs the slug of an organization'],
    [['erase', 'nobody', 'ann@example.com'], 'There is no organization with the slug nobody'],
  ])('rejects %j with exit code 2', async (args, message) => {
    const { code, errors } = await ops(database.url, args);
    expect(errors).toContain(message);
    expect(errors).toContain('Usage: npm run ops -- <command>');
    expect(code).toBe(2);
  });

  it('exits with code 2 after an error', async () => {
    const { code, lines, errors } = await opsProcess(database.url, ['rebuild']);
    expect([code, lines]).toEqual([2, ['']]);
    expect(errors).toMatch(/^Unknown command: rebuild\n\nUsage: npm run ops -- <command>\n/);
  });

  it('erase requests an erasure, audits it without the address, and waits for the services', async () => {
    await database.query(`INSERT INTO tenancy.organizations (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [newId()]);
    const outcome = opsProcess(database.url, ['erase', 'acme', 'Ann@example.com']);
    const found = async () => database.query<{ kind: string }>('SELECT kind FROM persons.erasures');
    await until('the erasure is requested', async () => (await found()).length === 1);
    expect(await found()).toEqual([{ kind: 'email' }]);
    const [entry] = await database.query<{ action: string; actor_kind: string; after: object }>(
      'SELECT action, actor_kind, after FROM audit.entries',
    );
    expect(entry).toEqual({ action: 'person.erased', actor_kind: 'operator', after: { kind: 'email' } });
    await database.query(`UPDATE persons.erasures SET pending = '{}', value = NULL, finished_at = now()`);
    expect(await outcome).toMatchObject({ code: 0, lines: [expect.stringMatching(/^Erasure .* is finished\.$/)] });
  });

  it('revoke-key revokes the key in a file once, audits it, and publishes an event', async () => {
    const organizationId = newId();
    const keyId = newId();
    const secret = generateKey('msg');
    await database.query(`INSERT INTO tenancy.organizations (id, slug, name) VALUES ($1, 'leaky', 'Leaky')`, [
      organizationId,
    ]);
    await database.query(
      `INSERT INTO auth.api_keys (id, organization_id, name, hash, last_four, scopes, role, created_at)
       VALUES ($1, $2, 'Shop', $3, $4, '{}', 'member', now())`,
      [keyId, organizationId, hashToken(secret), secret.slice(-4)],
    );
    const folder = mkdtempSync(path.join(tmpdir(), 'leaked-key-'));
    try {
      const file = path.join(folder, 'key');
      writeFileSync(file, `${secret}\n`);
      const first = await ops(database.url, ['revoke-key', file]);
      expect([first.code, first.lines.join()]).toEqual([0, expect.stringMatching(/^The key "Shop" .* is revoked\.$/)]);
      expect(first.lines.join()).not.toContain(secret);
      const [key] = await database.query<{ revoked_at: Date | null }>(
        'SELECT revoked_at FROM auth.api_keys WHERE id = $1',
        [keyId],
      );
      expect(key?.revoked_at).not.toBeNull();
      const again = await ops(database.url, ['revoke-key', file]);
      expect([again.code, again.lines.join()]).toEqual([0, expect.stringContaining('was revoked')]);
      const entries = await database.query('SELECT FROM audit.entries WHERE organization_id = $1', [organizationId]);
      const events = await database.query(`SELECT FROM messaging.outbox WHERE type = 'apikey.revoked'`);
      expect([entries.length, events.length]).toEqual([1, 1]);
      writeFileSync(file, generateKey('msg'));
      expect((await ops(database.url, ['revoke-key', file])).errors).toContain('There is no such API key.');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('reseal encrypts all secrets with the first key of their ring, and a second run changes nothing', async () => {
    const old = newKey('k1');
    const current = newKey('k2');
    const email = newKey('mail');
    await addUsers(450, old);
    const domainId = newId();
    await database.query(
      `INSERT INTO email.domains
         (id, organization_id, name, status, verification_token, dkim_selector, dkim_public_key, dkim_private_key, findings)
       VALUES ($1, $1, 'acme.example', 'pending', 'token', 'mail', 'public', $2, '[]')`,
      [domainId, DKIM_PRIVATE_KEY.seal(ringOf(old), domainId, 'key')],
    );
    const keys = { SECRETS_KEYS: `${current},${old}`, EMAIL_SECRETS_KEYS: `${email},${old}` };
    const lines = (totp: number, dkim: number) => [
      `users.users.totp_secret: ${totp} secrets resealed`,
      'users.users.pending_totp_secret: 0 secrets resealed',
      'webhooks.subscriptions.secret: 0 secrets resealed',
      'webhooks.subscriptions.previous_secret: 0 secrets resealed',
      `email.domains.dkim_private_key: ${dkim} secrets resealed`,
    ];
    expect(await ops(database.url, ['reseal'], keys)).toMatchObject({ code: 0, lines: lines(450, 1) });
    const users = await database.query<{ id: string; totp_secret: string }>('SELECT id, totp_secret FROM users.users');
    const opened = users.map(({ id, totp_secret }) => TOTP_SECRET.open(ringOf(current), id, totp_secret));
    expect(opened).toEqual(users.map(({ id }) => `secret of ${id}`));
    const [domain] = await database.query<{ key: string }>('SELECT dkim_private_key AS key FROM email.domains');
    expect(DKIM_PRIVATE_KEY.open(ringOf(email), domainId, domain!.key)).toBe('key');
    expect(await ops(database.url, ['reseal'], keys)).toMatchObject({ code: 0, lines: lines(0, 0) });
    await database.query('DELETE FROM email.domains');
  });

  it('reseal and erase reject the published keys, except as older keys', async () => {
    const own = newKey('k1');
    const published = LOCAL_SECRETS.secretsKeys;
    await database.query('DELETE FROM users.users');
    const reseal = (SECRETS_KEYS: string, EMAIL_SECRETS_KEYS: string) =>
      ops(database.url, ['reseal'], { SECRETS_KEYS, EMAIL_SECRETS_KEYS, DATA_DIR: '/nonexistent' });
    const rejected = await reseal(published, '');
    expect(rejected.code).toBe(2);
    expect(rejected.errors).toContain('SECRETS_KEYS: is a secret of the local stack');
    expect(rejected.errors).toContain('EMAIL_SECRETS_KEYS: must be set in production');
    expect(rejected.errors).toContain('openssl rand -base64 32');
    expect(await reseal(`${own},${published}`, `${own},${published}`)).toMatchObject({ code: 0 });
    const erased = await ops(database.url, ['erase', 'acme', 'ann@example.com'], {
      PERSON_HASH_KEYS: LOCAL_SECRETS.personHashKey,
    });
    expect(erased).toMatchObject({
      code: 2,
      errors: expect.stringContaining('PERSON_HASH_KEYS: is a secret') as string,
    });
  });

  it('reseal can be interrupted, and the next run encrypts the remaining secrets', async () => {
    const old = newKey('k1');
    const current = newKey('k2');
    await database.query('DELETE FROM users.users');
    const ids = await addUsers(450, old);
    const keys = { SECRETS_KEYS: `${current},${old}`, EMAIL_SECRETS_KEYS: current };
    const resealed = () => database.query(`SELECT FROM users.users WHERE starts_with(totp_secret, 'k2.')`);

    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    // The second batch waits for this row.
    await holder.query('SELECT FROM users.users WHERE id = $1 FOR UPDATE', [ids[300]]);
    const interrupted = opsProcess(database.url, ['reseal'], keys);
    await until('the second batch waits', async () => {
      const waiting = await database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'ops reseal' AND wait_event_type = 'Lock'`,
      );
      if (waiting[0]) await database.query('SELECT pg_terminate_backend($1)', [waiting[0].pid]);
      return waiting.length > 0;
    });
    expect(await interrupted).toMatchObject({ code: 2, errors: expect.stringContaining('terminat') as string });
    await holder.end();
    expect(await resealed()).toHaveLength(200);

    const { code, lines } = await ops(database.url, ['reseal'], keys);
    expect([code, lines[0]]).toEqual([0, 'users.users.totp_secret: 250 secrets resealed']);
    const users = await database.query<{ id: string; totp_secret: string }>('SELECT id, totp_secret FROM users.users');
    const opened = users.map(({ id, totp_secret }) => TOTP_SECRET.open(ringOf(current), id, totp_secret));
    expect(opened).toEqual(users.map(({ id }) => `secret of ${id}`));
  });

  /** Adds users with a sealed secret and returns their ids in ascending order. */
  async function addUsers(count: number, key: string): Promise<string[]> {
    const ids = Array.from({ length: count }, newId).sort();
    const sealed = ids.map((id) => TOTP_SECRET.seal(ringOf(key), id, `secret of ${id}`));
    await database.query(
      `INSERT INTO users.users (id, email, name, password_hash, totp_secret)
       SELECT id, id || '@example.com', 'Ann', '', sealed FROM unnest($1::uuid[], $2::text[]) AS u(id, sealed)`,
      [ids, sealed],
    );
    return ids;
  }

  describe('dead-letters', () => {
    const queue = 'sms-api.send';
    beforeAll(() =>
      database.query(
        `INSERT INTO messaging.local_deliveries (queue, event_id, type, payload, attempt, dead_at, error)
         SELECT $1, id, 'sms.accepted', json_build_object('id', id, 'type', 'sms.accepted'), 5, now(), 'cannot be parsed'
         FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 3)) AS ids`,
        [queue],
      ),
    );

    it('lists at most the requested number of letters', async () => {
      const { code, lines } = await opsProcess(database.url, ['dead-letters', 'list', queue, '2']);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ type: 'sms.accepted', error: 'cannot be parsed' }),
        expect.objectContaining({ type: 'sms.accepted', error: 'cannot be parsed' }),
      ]);
      expect(code).toBe(0);
    });

    it('returns them to their queue', async () => {
      const { lines } = await opsProcess(database.url, ['dead-letters', 'replay', queue]);
      expect(lines).toEqual([`3 dead letters returned to ${queue}`]);
      expect(await database.query('SELECT DISTINCT dead_at, error, attempt FROM messaging.local_deliveries')).toEqual([
        { dead_at: null, error: null, attempt: 0 },
      ]);
    });
  });

  describe('reconcile', () => {
    const workspaceId = newId();
    const topUp = (creditType: LedgerPosting['creditType'], reference: string): LedgerPosting => ({
      organizationId: newId(),
      workspaceId,
      creditType,
      kind: 'topup',
      amount: 10,
      reference,
      correlationId: null,
    });
    beforeAll(async () => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await post(client, [topUp('sms', 'one'), topUp('sms', 'two'), topUp('email', 'three')]);
      await client.end();
    });

    it('prints a summary and exits with 0 when everything agrees', async () => {
      const { code, lines } = await ops(database.url, ['reconcile']);
      expect(lines).toEqual(['2 accounts, 3 ledger entries: no differences']);
      expect(code).toBe(0);
    });

    it('prints every difference and exits with 1', async () => {
      await database.query(`UPDATE credits.accounts SET balance = 11 WHERE credit_type = 'email'`);
      await database.query(`UPDATE credits.ledger SET balance_after = 7 WHERE reference = 'two'`);
      const [entry] = await database.query<{ id: string }>(`SELECT id FROM credits.ledger WHERE reference = 'two'`);
      const { code, lines } = await opsProcess(database.url, ['reconcile']);
      expect(lines).toEqual([
        `workspace ${workspaceId}, email: the balance is 11, the ledger sum is 10`,
        `workspace ${workspaceId}, sms: entry ${entry!.id} (two) has balance_after 7, expected 20`,
        '2 accounts, 3 ledger entries: 2 differences',
      ]);
      expect(code).toBe(1);
    });

    it('exits with 2 when the database is unavailable', async () => {
      const { code, errors } = await ops(`${database.url}_missing`, ['reconcile']);
      expect(errors).toContain('does not exist');
      expect(code).toBe(2);
    });
  });
});
