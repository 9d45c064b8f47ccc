import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DKIM_PRIVATE_KEY } from '@heliograph/email-catalog';
import { KeyRing, localKeyRing, LOCAL_SECRETS_KEYS } from '@heliograph/secrets';
import { main } from './main';
import { useProvisioning } from './provision.fixture';

const FILE = 'organizations: [{ slug: acme, email: { domains: [{ name: acme.example, status: verified }] } }]';
const OWN = `k1:${randomBytes(32).toString('base64')}`;

describe('npm run provision', () => {
  const test = useProvisioning();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'provision-'));
    writeFileSync(path.join(folder, 'acme.yaml'), FILE);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the command with this environment; resolves with what it printed as errors. */
  const run = async (environment: Record<string, string>): Promise<string> => {
    const before = process.env;
    process.env = {
      ...before,
      DATABASE_URL: test.database.url,
      DATA_DIR: folder,
      INIT_CWD: folder,
      SECRETS_KEYS: '',
      EMAIL_SECRETS_KEYS: '',
      ...environment,
    };
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const log = jest.spyOn(console, 'log').mockReturnValue();
    try {
      await main(folder, ['acme.yaml']);
      return error.mock.calls.map(([text]) => String(text)).join('\n');
    } finally {
      process.env = before;
      process.exitCode = undefined;
      error.mockRestore();
      log.mockRestore();
    }
  };
  const sealedKeys = () =>
    test.rows<{ id: string; key: string }>('SELECT id, dkim_private_key AS key FROM email.domains');
  const describeStack = (databaseUrl: string): void =>
    writeFileSync(path.join(folder, 'stack.json'), JSON.stringify({ databaseUrl, keyPrefix: 'msg', pid: process.pid }));

  it('rejects the published keys for a deployment, names the variables, and writes nothing', async () => {
    const given: Record<string, string>[] = [
      {},
      { EMAIL_SECRETS_KEYS: LOCAL_SECRETS_KEYS },
      { EMAIL_SECRETS_KEYS: OWN },
    ];
    for (const keys of given) {
      const errors = await run(keys);
      expect(errors).toContain('SECRETS_KEYS: must be set in production');
      expect(errors).toContain('echo "k1:$(openssl rand -base64 32)"');
    }
    expect(await run({ SECRETS_KEYS: OWN, EMAIL_SECRETS_KEYS: LOCAL_SECRETS_KEYS })).toContain(
      'EMAIL_SECRETS_KEYS: is a secret of the local stack',
    );
    expect(await test.rows('SELECT FROM tenancy.organizations')).toEqual([]);
    describeStack('postgres://elsewhere/db');
    expect(await run({})).toContain('SECRETS_KEYS: must be set in production');
  });

  it('encrypts DKIM keys with the keys of the deployment', async () => {
    expect(await run({ SECRETS_KEYS: OWN, EMAIL_SECRETS_KEYS: OWN })).toBe('');
    const [domain] = await sealedKeys();
    const ring = KeyRing.parse(OWN, 'EMAIL_SECRETS_KEYS')!;
    expect(DKIM_PRIVATE_KEY.open(ring, domain!.id, domain!.key)).toContain('PRIVATE KEY');
  });

  it('uses the published keys for the running local stack', async () => {
    describeStack(test.database.url);
    expect(await run({})).toBe('');
    const [domain] = await sealedKeys();
    expect(DKIM_PRIVATE_KEY.open(localKeyRing(), domain!.id, domain!.key)).toContain('PRIVATE KEY');
  });

  it('uses the published keys elsewhere only if ALLOW_UNSAFE_SETTINGS is true', async () => {
    expect(await run({ ALLOW_UNSAFE_SETTINGS: 'true' })).toBe('');
  });
});
