import { DKIM_PRIVATE_KEY } from '@heliograph/email-catalog';
import { localKeyRing } from '@heliograph/secrets';
import { createPrivateKey } from 'node:crypto';
import { AccountFixture, PASSWORD } from './account-fixture';
import { codeOf, timeInStep } from './authenticator-app';

describe('the database', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    fixture = await AccountFixture.start();
  });
  afterAll(() => fixture.stop());

  /** Returns all rows of all tables as text, as in a dump. */
  async function dump(): Promise<string> {
    const tables = await fixture.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const parts = await Promise.all(
      tables.map(({ name }) =>
        fixture.database.query<{ rows: string | null }>(`SELECT string_agg(t::text, E'\\n') AS rows FROM ${name} AS t`),
      ),
    );
    return parts.map(([part]) => part?.rows ?? '').join('\n');
  }

  it('contains no readable secret of an authenticator app, pending or confirmed', async () => {
    await timeInStep();
    const { owner } = await fixture.tenant();
    const cookie = await fixture.login(owner.email);
    const post = <T>(path: string, body: object) => fixture.call<T>('POST', `/api/auth/mfa${path}`, { cookie, body });
    const { secret } = (await post<{ secret: string }>('', { password: PASSWORD })).data;
    expect(await dump()).toContain(owner.email);
    expect(await dump()).not.toContain(secret);
    expect(await post('/confirm', { code: codeOf(secret, -1) })).toMatchObject({ status: 200 });
    expect(await dump()).not.toContain(secret);
    const login = { email: owner.email, password: PASSWORD, code: codeOf(secret) };
    expect(await fixture.call('POST', '/api/auth/login', { body: login })).toMatchObject({ status: 200 });
  });

  it('contains no readable DKIM key', async () => {
    const { owner } = await fixture.tenant();
    const cookie = await fixture.login(owner.email);
    const body = { name: 'sealed.example' };
    const { status } = await fixture.call('POST', '/api/organization/email/domains', { cookie, body });
    expect(status).toBe(201);
    const content = await dump();
    expect(content).toContain('sealed.example');
    expect(content).not.toContain('PRIVATE KEY');
    const [domain] = await fixture.database.query<{ id: string; sealed: string }>(
      `SELECT id, dkim_private_key AS sealed FROM email.domains WHERE name = 'sealed.example'`,
    );
    const pem = DKIM_PRIVATE_KEY.open(localKeyRing(), domain!.id, domain!.sealed);
    expect(createPrivateKey(pem).asymmetricKeyType).toBe('rsa');
  });
});
