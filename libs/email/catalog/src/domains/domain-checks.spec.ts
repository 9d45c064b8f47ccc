import { localKeyRing } from '@heliograph/secrets';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { newId, poolOf } from '@heliograph/database';
import { TestDnsServer } from '@heliograph/testing';
import { dkimSign } from 'mailauth/lib/dkim/sign';
import { dkimVerify } from 'mailauth/lib/dkim/verify';
import { generateDkimKey } from './dkim-key';
import { DomainChecks } from './domain-checks';
import { DomainChecksFixture } from './domain-checks.fixture';
import { DKIM_PRIVATE_KEY } from './domain-secrets';
import { emailDomainConfig } from './domains.config';

let fixture: DomainChecksFixture;
beforeAll(async () => {
  fixture = await DomainChecksFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.beforeTest());
afterEach(() => fixture.dns.heal());

describe('the records of a domain', () => {
  it('are complete, with full names', () => {
    const { name, dkimSelector, dkimPublicKey, verificationToken } = fixture.domain;
    const nothing = { status: 'pending', found: [] };
    expect(fixture.checks.recordsOf(fixture.domain)).toEqual([
      {
        type: 'TXT',
        name: `_mail-verification.${name}`,
        value: `mail-verification=${verificationToken}`,
        purpose: 'ownership',
        required: true,
        ...nothing,
      },
      {
        type: 'TXT',
        name: `${dkimSelector}._domainkey.${name}`,
        value: `v=DKIM1; k=rsa; p=${dkimPublicKey}`,
        purpose: 'dkim',
        required: true,
        ...nothing,
      },
      {
        type: 'TXT',
        name,
        value: 'v=spf1 include:spf.platform.example ~all',
        purpose: 'spf',
        required: true,
        ...nothing,
      },
      {
        type: 'CNAME',
        name: `bounces.${name}`,
        value: 'returns.platform.example',
        purpose: 'return_path',
        required: true,
        ...nothing,
      },
      {
        type: 'TXT',
        name: `_dmarc.${name}`,
        value: 'v=DMARC1; p=none;',
        purpose: 'dmarc',
        required: false,
        ...nothing,
      },
      {
        type: 'CNAME',
        name: `links.${name}`,
        value: 'links.platform.example',
        purpose: 'tracking',
        required: false,
        ...nothing,
      },
    ]);
  });

  it('depend on the configuration; SPF defaults to the return path', () => {
    const purposesWith = (more: Record<string, string | undefined>) =>
      new DomainChecks(fixture.dataSource, poolOf(fixture.dataSource), fixture.catalog, emailDomainConfig.parse(more))
        .recordsOf(fixture.domain)
        .map(({ purpose, value }) => (purpose === 'spf' ? value : purpose));
    expect(purposesWith({})).toEqual(['ownership', 'dkim', 'dmarc']);
    expect(purposesWith({ PUBLIC_BASE_URL: 'https://mail.example' })).toEqual([
      'ownership',
      'dkim',
      'dmarc',
      'tracking',
    ]);
    expect(purposesWith({ PUBLIC_TRACKING_URL: 'http://127.0.0.1:8080' })).toEqual(['ownership', 'dkim', 'dmarc']);
    expect(purposesWith({ EMAIL_RETURN_PATH_DOMAIN: 'R.example.com' })).toEqual([
      'ownership',
      'dkim',
      'v=spf1 include:r.example.com ~all',
      'return_path',
      'dmarc',
    ]);
  });

  it('differ between two organizations with the same domain', async () => {
    const add = (of: string) =>
      fixture.dataSource.transaction(async (t) =>
        fixture.catalog.createDomain(t, of, { name: 'two.example', key: await generateDkimKey() }),
      );
    const one = await add(newId());
    const other = await add(newId());
    expect(other.verificationToken).not.toBe(one.verificationToken);
    expect(fixture.nameOf('dkim', other)).not.toBe(fixture.nameOf('dkim', one));
    expect(other.dkimPublicKey).not.toBe(one.dkimPublicKey);
  });

  it('verify a signature of the private key in an independent implementation', async () => {
    fixture.publishAll();
    const [row] = await fixture.database.query<{ dkim_private_key: string }>(
      'SELECT dkim_private_key FROM email.domains WHERE id = $1',
      [fixture.domain.id],
    );
    const pem = DKIM_PRIVATE_KEY.open(localKeyRing(), fixture.domain.id, row!.dkim_private_key);
    const privateKey = createPrivateKey(pem);
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(
      fixture.domain.dkimPublicKey,
    );
    const mail = `From: Ann <ann@${fixture.domain.name}>\r\nTo: bob@example.com\r\nSubject: Hi\r\n\r\nHello\r\n`;
    const signer = { signingDomain: fixture.domain.name, selector: fixture.domain.dkimSelector, privateKey: pem };
    const { signatures } = await dkimSign(mail, { ...signer, signatureData: [signer] });
    const lookedUp: string[] = [];
    const resolver = async (name: string): Promise<string[][]> => {
      lookedUp.push(name);
      return [[fixture.checks.recordsOf(fixture.domain).find((record) => record.name === name)!.value]];
    };
    const { results } = await dkimVerify(signatures + mail, { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    expect(lookedUp).toEqual([fixture.nameOf('dkim')]);
  });
});

describe('a check', () => {
  it('verifies a domain with all required records and stores the results', async () => {
    fixture.publishAll();
    const after = await fixture.verify();
    expect(after).toMatchObject({
      status: 'verified',
      verifiedBy: 'dns',
      returnPathHost: `bounces.${fixture.domain.name}`,
    });
    expect(after.verifiedAt).toEqual(after.checkedAt);
    expect(await fixture.read()).toEqual(after);
    expect(fixture.statuses(after)).toEqual({
      ownership: 'verified',
      dkim: 'verified',
      spf: 'verified',
      return_path: 'verified',
      dmarc: 'pending',
      tracking: 'pending',
    });
    expect(fixture.checks.recordsOf(after).find(({ purpose }) => purpose === 'dkim')!.found).toEqual([
      `v=DKIM1; k=rsa; p=${fixture.domain.dkimPublicKey}`,
    ]);
  });

  it.each(['ownership', 'dkim', 'spf', 'return_path'])(
    'leaves a domain pending without its %s record',
    async (purpose) => {
      fixture.publishAll(fixture.domain, [purpose]);
      const after = await fixture.verify();
      expect(after).toMatchObject({ status: 'pending', verifiedBy: null, checkedAt: expect.any(Date) });
      expect(fixture.statuses(after)[purpose]).toBe('pending');
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
    fixture.publishAll(fixture.domain, [purpose]);
    const type = purpose === 'return_path' ? 'CNAME' : 'TXT';
    fixture.dns.publish(...values.map((value) => ({ type, name: fixture.nameOf(purpose), value }) as const));
    const after = await fixture.verify();
    expect(after.status).toBe('pending');
    const { status, found } = fixture.checks.recordsOf(after).find((record) => record.purpose === purpose)!;
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
    fixture.publishAll(fixture.domain, [purpose]);
    const { name, value } = fixture.checks.recordsOf(fixture.domain).find((record) => record.purpose === purpose)!;
    fixture.dns.publish(...valuesOf(value).map((each) => ({ type: 'TXT', name, value: each }) as const));
    expect((await fixture.verify()).status).toBe('verified');
  });

  it('ignores the case of names', async () => {
    fixture.publishAll(fixture.domain, ['return_path']);
    fixture.dns.publish({ type: 'CNAME', name: fixture.nameOf('return_path'), value: 'Returns.PLATFORM.example' });
    expect((await fixture.verify()).status).toBe('verified');
  });

  it('reports DMARC and tracking, which are optional', async () => {
    fixture.dns.publish(
      { type: 'TXT', name: fixture.nameOf('dmarc'), value: 'v=DMARC1; p=reject; rua=mailto:d@example.com' },
      { type: 'CNAME', name: fixture.nameOf('tracking'), value: 'elsewhere.example' },
    );
    expect(fixture.statuses(await fixture.verify())).toMatchObject({ dmarc: 'verified', tracking: 'failed' });
  });

  it('converts the current values to printable text', async () => {
    fixture.dns.publish({ type: 'TXT', name: fixture.nameOf('dkim'), value: `a\u0000b${'x'.repeat(3_000)}` });
    const { found } = fixture.checks.recordsOf(await fixture.verify()).find(({ purpose }) => purpose === 'dkim')!;
    expect(found).toEqual([`a\ufffdb${'x'.repeat(997)}`]);
  });

  it.each(['failure', 'silence'] as const)('changes nothing after the %s of a name server', async (fault) => {
    fixture.publishAll();
    const verified = await fixture.verify();
    fixture.dns.withdraw(fixture.nameOf('dkim'));
    fixture.dns.break(fixture.nameOf('dkim'), fault);
    const after = await fixture.verify();
    expect(after).toMatchObject({ status: 'verified', failingSince: null, returnPathHost: verified.returnPathHost });
    expect(after.checkedAt!.getTime()).toBeGreaterThan(verified.checkedAt!.getTime());
    expect(fixture.statuses(after)).toEqual(fixture.statuses(verified));
  });

  it('does not verify while the lookup of a required record fails', async () => {
    fixture.publishAll();
    fixture.dns.break(fixture.nameOf('return_path'), 'failure');
    expect(await fixture.verify()).toMatchObject({ status: 'pending', returnPathHost: null });
  });

  it('changes nothing if no name server responds', async () => {
    const gone = await TestDnsServer.start();
    const { address } = gone;
    await gone.stop();
    const blind = new DomainChecks(
      fixture.dataSource,
      poolOf(fixture.dataSource),
      fixture.catalog,
      fixture.configOf({ EMAIL_DNS_SERVERS: address }),
    );
    expect(await blind.check(fixture.domain)).toEqual({ outcome: 'unknown', findings: [] });
  });

  it('is NOT_FOUND for another organization and changes nothing', async () => {
    fixture.publishAll();
    await expect(fixture.verify(fixture.domain.id, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.read()).toEqual(fixture.domain);
  });
});

describe('a domain verified by the operator', () => {
  it('stays verified regardless of the DNS, which only sets its return path', async () => {
    const put = await fixture.catalog.putDomain(fixture.dataSource.manager, fixture.organizationId, {
      name: fixture.domain.name,
      status: 'verified',
      expiresAt: null,
    });
    expect(await fixture.verify()).toMatchObject({ status: 'verified', verifiedBy: 'operator', failingSince: null });
    fixture.publishAll();
    const after = await fixture.verify();
    expect(after).toMatchObject({ verifiedBy: 'operator', verifiedAt: put.verifiedAt });
    expect(after.returnPathHost).toBe(`bounces.${fixture.domain.name}`);
  });
});
