import { messagingMigrations } from '@heliograph/messaging';
import { localKeyRing } from '@heliograph/secrets';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { createTestDatabase, TestDnsServer, type TestDatabase } from '@heliograph/testing';
import { dkimSign } from 'mailauth/lib/dkim/sign';
import { dkimVerify } from 'mailauth/lib/dkim/verify';
import type { DataSource } from 'typeorm';
import { EmailCatalogService } from './catalog.service';
import { generateDkimKey, type DkimKey } from './dkim-key';
import { DomainChecks } from './domain-checks';
import { EmailDomain } from './domain.entity';
import { DKIM_PRIVATE_KEY } from './domain-secrets';
import { emailDomainConfig } from './domains.config';
import { emailCatalogEntities, emailCatalogMigrations } from './migration-set';

let database: TestDatabase;
let dataSource: DataSource;
let catalog: EmailCatalogService;
let dns: TestDnsServer;
let checks: DomainChecks;
/** A new organization for each test, with its own domain. */
let organizationId: string;
let domain: EmailDomain;
let names = 0;
let key: DkimKey;

const configOf = (more: Record<string, string> = {}) =>
  emailDomainConfig.parse({
    EMAIL_DNS_SERVERS: dns.address,
    EMAIL_DNS_TIMEOUT_MS: '500',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.platform.example',
    EMAIL_SPF_HOST: 'spf.platform.example',
    PUBLIC_TRACKING_URL: 'https://Links.platform.example/',
    ...more,
  });

beforeAll(async () => {
  database = await createTestDatabase([messagingMigrations, emailCatalogMigrations]);
  const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
  dataSource = await createDataSource(config, 'domain checks spec', emailCatalogEntities).initialize();
  catalog = new EmailCatalogService(localKeyRing());
  dns = await TestDnsServer.start();
  key = await generateDkimKey();
  checks = new DomainChecks(dataSource, poolOf(dataSource), catalog, configOf());
});
afterAll(async () => {
  await dns.stop();
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  // The domains of earlier tests are not due.
  await database.query('DELETE FROM email.domains');
  organizationId = newId();
  domain = await addDomain(organizationId, `acme-${++names}.example`);
});
afterEach(() => dns.heal());

/** Uses one key for all domains, because generating a key takes time. */
async function addDomain(of: string, name: string): Promise<EmailDomain> {
  const id = newId();
  const [token, selector] = [`token-${id}`, `mail-${id.slice(-8)}`];
  await database.query(
    `INSERT INTO email.domains
       (id, organization_id, name, status, verification_token, dkim_selector, dkim_public_key, dkim_private_key, findings)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, '[]')`,
    [id, of, name, token, selector, key.publicKey, DKIM_PRIVATE_KEY.seal(localKeyRing(), id, key.privateKey)],
  );
  return catalog.domainOf(dataSource.manager, of, id);
}
const read = (id = domain.id, of = organizationId) => catalog.domainOf(dataSource.manager, of, id);
const verify = async (id = domain.id, of = organizationId) => (await checks.verify(of, id)).after;
const publishAll = (of = domain, except: string[] = []) =>
  dns.publish(...checks.recordsOf(of).filter(({ required, purpose }) => required && !except.includes(purpose)));
const nameOf = (purpose: string, of = domain): string =>
  checks.recordsOf(of).find((record) => record.purpose === purpose)!.name;
const statuses = (of: EmailDomain) =>
  Object.fromEntries(checks.recordsOf(of).map(({ purpose, status }) => [purpose, status]));
const hoursAgo = (column: string, hours: number, id = domain.id) =>
  database.query(`UPDATE email.domains SET ${column} = now() - make_interval(hours => $2) WHERE id = $1`, [id, hours]);

describe('the records of a domain', () => {
  it('are complete, with full names', () => {
    const { name, dkimSelector, dkimPublicKey, verificationToken } = domain;
    const nothing = { status: 'pending', found: [] };
    expect(checks.recordsOf(domain)).toEqual([
      {
        ...{ type: 'TXT', name: `_mail-verification.${name}`, value: `mail-verification=${verificationToken}` },
        ...{ purpose: 'ownership', required: true, ...nothing },
      },
      {
        ...{ type: 'TXT', name: `${dkimSelector}._domainkey.${name}`, value: `v=DKIM1; k=rsa; p=${dkimPublicKey}` },
        ...{ purpose: 'dkim', required: true, ...nothing },
      },
      {
        ...{ type: 'TXT', name, value: 'v=spf1 include:spf.platform.example ~all' },
        ...{ purpose: 'spf', required: true, ...nothing },
      },
      {
        ...{ type: 'CNAME', name: `bounces.${name}`, value: 'returns.platform.example' },
        ...{ purpose: 'return_path', required: true, ...nothing },
      },
      {
        ...{ type: 'TXT', name: `_dmarc.${name}`, value: 'v=DMARC1; p=none;' },
        ...{ purpose: 'dmarc', required: false, ...nothing },
      },
      {
        ...{ type: 'CNAME', name: `links.${name}`, value: 'links.platform.example' },
        ...{ purpose: 'tracking', required: false, ...nothing },
      },
    ]);
  });

  it('depend on the configuration; SPF defaults to the return path', () => {
    const purposesWith = (more: Record<string, string | undefined>) =>
      new DomainChecks(dataSource, poolOf(dataSource), catalog, emailDomainConfig.parse(more))
        .recordsOf(domain)
        .map(({ purpose, value }) => (purpose === 'spf' ? value : purpose));
    expect(purposesWith({})).toEqual(['ownership', 'dkim', 'dmarc']);
    expect(purposesWith({ PUBLIC_BASE_URL: 'https://mail.example' })).toEqual([
      ...['ownership', 'dkim', 'dmarc', 'tracking'],
    ]);
    expect(purposesWith({ PUBLIC_TRACKING_URL: 'http://127.0.0.1:8080' })).toEqual(['ownership', 'dkim', 'dmarc']);
    expect(purposesWith({ EMAIL_RETURN_PATH_DOMAIN: 'R.example.com' })).toEqual([
      ...['ownership', 'dkim', 'v=spf1 include:r.example.com ~all', 'return_path', 'dmarc'],
    ]);
  });

  it('differ between two organizations with the same domain', async () => {
    const add = (of: string) =>
      dataSource.transaction(async (t) =>
        catalog.createDomain(t, of, { name: 'two.example', key: await generateDkimKey() }),
      );
    const [one, other] = [await add(newId()), await add(newId())];
    expect(other.verificationToken).not.toBe(one.verificationToken);
    expect(nameOf('dkim', other)).not.toBe(nameOf('dkim', one));
    expect(other.dkimPublicKey).not.toBe(one.dkimPublicKey);
  });

  it('verify a signature of the private key in an independent implementation', async () => {
    publishAll();
    const [row] = await database.query<{ dkim_private_key: string }>(
      'SELECT dkim_private_key FROM email.domains WHERE id = $1',
      [domain.id],
    );
    const pem = DKIM_PRIVATE_KEY.open(localKeyRing(), domain.id, row!.dkim_private_key);
    const privateKey = createPrivateKey(pem);
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(
      domain.dkimPublicKey,
    );
    const mail = `From: Ann <ann@${domain.name}>\r\nTo: bob@example.com\r\nSubject: Hi\r\n\r\nHello\r\n`;
    const signer = { signingDomain: domain.name, selector: domain.dkimSelector, privateKey: pem };
    const { signatures } = await dkimSign(mail, { ...signer, signatureData: [signer] });
    const lookedUp: string[] = [];
    const resolver = async (name: string): Promise<string[][]> => {
      lookedUp.push(name);
      return [[checks.recordsOf(domain).find((record) => record.name === name)!.value]];
    };
    const { results } = await dkimVerify(signatures + mail, { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    expect(lookedUp).toEqual([nameOf('dkim')]);
  });
});

describe('a check', () => {
  it('verifies a domain with all required records and stores the results', async () => {
    publishAll();
    const after = await verify();
    expect(after).toMatchObject({ status: 'verified', verifiedBy: 'dns', returnPathHost: `bounces.${domain.name}` });
    expect(after.verifiedAt).toEqual(after.checkedAt);
    expect(await read()).toEqual(after);
    expect(statuses(after)).toEqual({
      ...{ ownership: 'verified', dkim: 'verified', spf: 'verified', return_path: 'verified' },
      ...{ dmarc: 'pending', tracking: 'pending' },
    });
    expect(checks.recordsOf(after).find(({ purpose }) => purpose === 'dkim')!.found).toEqual([
      `v=DKIM1; k=rsa; p=${domain.dkimPublicKey}`,
    ]);
  });

  it.each(['ownership', 'dkim', 'spf', 'return_path'])(
    'leaves a domain pending without its %s record',
    async (purpose) => {
      publishAll(domain, [purpose]);
      const after = await verify();
      expect(after).toMatchObject({ status: 'pending', verifiedBy: null, checkedAt: expect.any(Date) });
      expect(statuses(after)[purpose]).toBe('pending');
    },
  );

  it.each<[string, string, string[]]>([
    ['the ownership record of another organization', 'ownership', ['mail-verification=0123456789']],
    ['a different key', 'dkim', ['v=DKIM1; k=rsa; p=MIIB']],
    ['a withdrawn key', 'dkim', ['v=DKIM1; p=']],
    ['two SPF records', 'spf', ['v=spf1 include:spf.platform.example ~all', 'v=spf1 include:other.example ~all']],
    ['an SPF record without the include', 'spf', ['v=spf1 include:spf.platform.example.org mx ~all']],
    ['an SPF record with the include after all', 'spf', ['v=spf1 -all include:spf.platform.example']],
    ['an SPF record with a negative include', 'spf', ['v=spf1 -include:spf.platform.example ~all']],
    ['a return path with a different target', 'return_path', ['returns.elsewhere.example']],
  ])('reports that %s is wrong, with the current values', async (_what, purpose, values) => {
    publishAll(domain, [purpose]);
    const type = purpose === 'return_path' ? 'CNAME' : 'TXT';
    dns.publish(...values.map((value) => ({ type, name: nameOf(purpose), value }) as const));
    const after = await verify();
    expect(after.status).toBe('pending');
    const { status, found } = checks.recordsOf(after).find((record) => record.purpose === purpose)!;
    expect(status).toBe('failed');
    expect(found.toSorted()).toEqual(values.toSorted());
  });

  it.each<[string, string, (value: string) => string[]]>([
    ['other TXT records next to the ownership record', 'ownership', (value) => ['something=else', value]],
    ['other TXT records next to the SPF record', 'spf', (value) => ['site-verification=abc', value, 'v=spf10']],
    [
      'an SPF record with further includes',
      'spf',
      () => ['V=SPF1  ip4:192.0.2.1 include:other.example include:SPF.Platform.example -all'],
    ],
    ['a DKIM record in a different notation', 'dkim', (value) => [value.replace('v=DKIM1; ', 't=y;h=sha256:sha1 ; ')]],
    ['a key with spaces', 'dkim', (value) => [value.replace(/(p=.{40})/, '$1 \t')]],
  ])('accepts %s', async (_what, purpose, valuesOf) => {
    publishAll(domain, [purpose]);
    const { name, value } = checks.recordsOf(domain).find((record) => record.purpose === purpose)!;
    dns.publish(...valuesOf(value).map((each) => ({ type: 'TXT', name, value: each }) as const));
    expect((await verify()).status).toBe('verified');
  });

  it('ignores the case of names', async () => {
    publishAll(domain, ['return_path']);
    dns.publish({ type: 'CNAME', name: nameOf('return_path'), value: 'Returns.PLATFORM.example' });
    expect((await verify()).status).toBe('verified');
  });

  it('reports DMARC and tracking, which are optional', async () => {
    dns.publish(
      { type: 'TXT', name: nameOf('dmarc'), value: 'v=DMARC1; p=reject; rua=mailto:d@example.com' },
      { type: 'CNAME', name: nameOf('tracking'), value: 'elsewhere.example' },
    );
    expect(statuses(await verify())).toMatchObject({ dmarc: 'verified', tracking: 'failed' });
  });

  it('converts the current values to printable text', async () => {
    dns.publish({ type: 'TXT', name: nameOf('dkim'), value: `a\u0000b${'x'.repeat(3_000)}` });
    const { found } = checks.recordsOf(await verify()).find(({ purpose }) => purpose === 'dkim')!;
    expect(found).toEqual([`a\ufffdb${'x'.repeat(997)}`]);
  });

  it.each(['failure', 'silence'] as const)('changes nothing after the %s of a name server', async (fault) => {
    publishAll();
    const verified = await verify();
    dns.withdraw(nameOf('dkim'));
    dns.break(nameOf('dkim'), fault);
    const after = await verify();
    expect(after).toMatchObject({ status: 'verified', failingSince: null, returnPathHost: verified.returnPathHost });
    expect(after.checkedAt!.getTime()).toBeGreaterThan(verified.checkedAt!.getTime());
    expect(statuses(after)).toEqual(statuses(verified));
  });

  it('does not verify while the lookup of a required record fails', async () => {
    publishAll();
    dns.break(nameOf('return_path'), 'failure');
    expect(await verify()).toMatchObject({ status: 'pending', returnPathHost: null });
  });

  it('changes nothing if no name server responds', async () => {
    const gone = await TestDnsServer.start();
    const { address } = gone;
    await gone.stop();
    const blind = new DomainChecks(dataSource, poolOf(dataSource), catalog, configOf({ EMAIL_DNS_SERVERS: address }));
    expect(await blind.check(domain)).toEqual({ outcome: 'unknown', findings: [] });
  });

  it('is NOT_FOUND for another organization and changes nothing', async () => {
    publishAll();
    await expect(verify(domain.id, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await read()).toEqual(domain);
  });
});

describe('a verified domain without its records', () => {
  beforeEach(async () => {
    publishAll();
    await verify();
    dns.withdraw(nameOf('dkim'));
  });

  it('remains verified, is marked, and recovers when the records are restored', async () => {
    const failing = await verify();
    expect(failing).toMatchObject({ status: 'verified', failingSince: failing.checkedAt });
    expect((await verify()).failingSince).toEqual(failing.failingSince);
    dns.publish(...checks.recordsOf(domain).filter(({ purpose }) => purpose === 'dkim'));
    const healed = await verify();
    expect(healed).toMatchObject({ status: 'verified', failingSince: null, verifiedAt: failing.verifiedAt });
  });

  it('fails after the grace period and is verified again when the records are restored', async () => {
    await verify();
    await hoursAgo('failing_since', 71);
    expect((await verify()).status).toBe('verified');
    await hoursAgo('failing_since', 72);
    const lapsed = await verify();
    expect(lapsed).toMatchObject({ status: 'failed', failingSince: expect.any(Date) });
    dns.publish(...checks.recordsOf(domain).filter(({ purpose }) => purpose === 'dkim'));
    const healed = await verify();
    expect(healed).toMatchObject({ status: 'verified', failingSince: null });
    expect(healed.verifiedAt!.getTime()).toBeGreaterThan(lapsed.verifiedAt!.getTime());
  });

  it('does not fail while the name server fails', async () => {
    await verify();
    await hoursAgo('failing_since', 100);
    dns.break(nameOf('dkim'), 'failure');
    expect((await verify()).status).toBe('verified');
  });

  it('loses its return path without the CNAME', async () => {
    dns.withdraw(nameOf('return_path'));
    expect(await verify()).toMatchObject({ status: 'verified', returnPathHost: null });
  });
});

describe('a domain verified by the operator', () => {
  it('stays verified regardless of the DNS, which only sets its return path', async () => {
    const put = await catalog.putDomain(dataSource.manager, organizationId, {
      name: domain.name,
      status: 'verified',
      expiresAt: null,
    });
    expect(await verify()).toMatchObject({ status: 'verified', verifiedBy: 'operator', failingSince: null });
    publishAll();
    const after = await verify();
    expect(after).toMatchObject({ verifiedBy: 'operator', verifiedAt: put.verifiedAt });
    expect(after.returnPathHost).toBe(`bounces.${domain.name}`);
  });
});

describe('the same name in two organizations', () => {
  it('is verified for the first organization that proves it, until it fails there', async () => {
    const [theirs, others] = [newId(), newId()];
    const their = await addDomain(theirs, domain.name);
    const another = await addDomain(others, domain.name);
    for (const each of [domain, their, another]) {
      publishAll(each, ['spf', 'return_path']);
    }
    dns.publish(...checks.recordsOf(domain).filter(({ purpose }) => ['spf', 'return_path'].includes(purpose)));
    const results = await Promise.allSettled([
      ...[checks.verify(organizationId, domain.id), checks.verify(theirs, their.id)],
      checks.verify(others, another.id),
    ]);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refusals).toEqual([
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
    ]);
    const declared = await catalog.putDomain(dataSource.manager, newId(), {
      name: domain.name,
      status: 'verified',
      expiresAt: null,
    });
    expect(declared.verifiedBy).toBe('operator');
    await database.query(`UPDATE email.domains SET status = 'failed' WHERE status = 'verified'`);
    expect((await checks.verify(others, another.id)).after.status).toBe('verified');
  });
});

describe('the schedule', () => {
  const isDue = async (): Promise<boolean> => (await checks.runDue()) === 1;

  it('checks a pending domain immediately, then every 15 minutes for two weeks', async () => {
    expect(await isDue()).toBe(true);
    expect(await isDue()).toBe(false);
    await hoursAgo('checked_at', 1);
    publishAll();
    await hoursAgo('created_at', 15 * 24);
    expect(await isDue()).toBe(false);
    await hoursAgo('created_at', 13 * 24);
    expect(await isDue()).toBe(true);
    expect((await read()).status).toBe('verified');
  });

  it('checks a verified domain every day, and a failed one for another month', async () => {
    publishAll();
    await verify();
    await hoursAgo('checked_at', 23);
    expect(await isDue()).toBe(false);
    await hoursAgo('checked_at', 24);
    dns.withdraw(nameOf('spf'));
    expect(await isDue()).toBe(true);
    await hoursAgo('failing_since', 73);
    await hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(true);
    expect((await read()).status).toBe('failed');
    await hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(true);
    await hoursAgo('failing_since', 31 * 24);
    await hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(false);
  });

  it('does not check a status declared by the operator', async () => {
    for (const status of ['verified', 'failed'] as const) {
      await catalog.putDomain(dataSource.manager, organizationId, { name: domain.name, status, expiresAt: null });
      await hoursAgo('checked_at', 1_000);
      expect(await isDue()).toBe(false);
    }
  });

  it('continues if one domain is verified for another organization', async () => {
    const theirs = newId();
    const their = await addDomain(theirs, domain.name);
    publishAll();
    publishAll(their, ['spf', 'return_path']);
    expect(await checks.runDue()).toBe(2);
    const both = [await read(), await read(their.id, theirs)];
    expect(both.map(({ status }) => status).toSorted()).toEqual(['pending', 'verified']);
  });

  it('checks each domain once with several processes', async () => {
    const organization = newId();
    const added = [];
    for (let index = 0; index < 12; index++) added.push(await addDomain(organization, `many-${index}.example`));
    dns.asked.length = 0;
    const counts = await Promise.all([checks.runDue(5), checks.runDue(5), checks.runDue(5), checks.runDue(5)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(13);
    for (const each of added) {
      expect(dns.asked.filter((name) => name === nameOf('ownership', each))).toHaveLength(1);
    }
  });
});
