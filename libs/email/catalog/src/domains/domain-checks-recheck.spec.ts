import { newId, testIdOf } from '@heliograph/database';
import { DomainChecksFixture } from './domain-checks.fixture';

let fixture: DomainChecksFixture;
beforeAll(async () => {
  fixture = await DomainChecksFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.beforeTest());
afterEach(() => fixture.dns.heal());

describe('a verified domain without its records', () => {
  beforeEach(async () => {
    fixture.publishAll();
    await fixture.verify();
    fixture.dns.withdraw(fixture.nameOf('dkim'));
  });

  it('remains verified, is marked, and recovers when the records are restored', async () => {
    const failing = await fixture.verify();
    expect(failing).toMatchObject({ status: 'verified', failingSince: failing.checkedAt });
    expect((await fixture.verify()).failingSince).toEqual(failing.failingSince);
    fixture.dns.publish(...fixture.checks.recordsOf(fixture.domain).filter(({ purpose }) => purpose === 'dkim'));
    const healed = await fixture.verify();
    expect(healed).toMatchObject({ status: 'verified', failingSince: null, verifiedAt: failing.verifiedAt });
  });

  it('fails after the grace period and is verified again when the records are restored', async () => {
    await fixture.verify();
    await fixture.hoursAgo('failing_since', 71);
    expect((await fixture.verify()).status).toBe('verified');
    await fixture.hoursAgo('failing_since', 72);
    const lapsed = await fixture.verify();
    expect(lapsed).toMatchObject({ status: 'failed', failingSince: expect.any(Date) });
    fixture.dns.publish(...fixture.checks.recordsOf(fixture.domain).filter(({ purpose }) => purpose === 'dkim'));
    const healed = await fixture.verify();
    expect(healed).toMatchObject({ status: 'verified', failingSince: null });
    expect(healed.verifiedAt!.getTime()).toBeGreaterThan(lapsed.verifiedAt!.getTime());
  });

  it('does not fail while the name server fails', async () => {
    await fixture.verify();
    await fixture.hoursAgo('failing_since', 100);
    fixture.dns.break(fixture.nameOf('dkim'), 'failure');
    expect((await fixture.verify()).status).toBe('verified');
  });

  it('loses its return path without the CNAME', async () => {
    fixture.dns.withdraw(fixture.nameOf('return_path'));
    expect(await fixture.verify()).toMatchObject({ status: 'verified', returnPathHost: null });
  });
});

describe('the same name in two organizations', () => {
  it('is verified for the first organization that proves it, until it fails there', async () => {
    const theirs = newId();
    const others = newId();
    const their = await fixture.addDomain(theirs, fixture.domain.name);
    const another = await fixture.addDomain(others, fixture.domain.name);
    for (const each of [fixture.domain, their, another]) {
      fixture.publishAll(each, ['spf', 'return_path']);
    }
    fixture.dns.publish(
      ...fixture.checks.recordsOf(fixture.domain).filter(({ purpose }) => ['spf', 'return_path'].includes(purpose)),
    );
    const results = await Promise.allSettled([
      fixture.checks.verify(fixture.organizationId, fixture.domain.id),
      fixture.checks.verify(theirs, their.id),
      fixture.checks.verify(others, another.id),
    ]);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refusals).toEqual([
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
    ]);
    const declared = await fixture.catalog.putDomain(fixture.dataSource.manager, newId(), {
      name: fixture.domain.name,
      status: 'verified',
      expiresAt: null,
    });
    expect(declared.verifiedBy).toBe('operator');
    await fixture.database.query(`UPDATE email.domains SET status = 'failed' WHERE status = 'verified'`);
    expect((await fixture.checks.verify(others, another.id)).after.status).toBe('verified');
  });
});

describe('a domain of a test organization', () => {
  it('is verified without the DNS, and keeps no live organization from verifying its name', async () => {
    const test = testIdOf(fixture.organizationId);
    const { id } = await fixture.addDomain(test, fixture.domain.name);
    expect(await fixture.verify(id, test)).toMatchObject({ status: 'verified', verifiedBy: 'operator' });
    fixture.publishAll();
    expect((await fixture.verify()).status).toBe('verified');
    const again = await fixture.addDomain(testIdOf(newId()), fixture.domain.name);
    expect((await fixture.verify(again.id, again.organizationId)).status).toBe('verified');
  });

  it('stays pending if its name begins with "unverified."', async () => {
    const test = testIdOf(newId());
    const { id } = await fixture.addDomain(test, 'unverified.acme.example');
    const domain = await fixture.verify(id, test);
    expect(domain.status).toBe('pending');
    expect(new Set(Object.values(fixture.statuses(domain)))).toEqual(new Set(['pending']));
  });
});

describe('the schedule', () => {
  const isDue = async (): Promise<boolean> => (await fixture.checks.runDue()) === 1;

  it('checks a pending domain immediately, then every 15 minutes for two weeks', async () => {
    expect(await isDue()).toBe(true);
    expect(await isDue()).toBe(false);
    await fixture.hoursAgo('checked_at', 1);
    fixture.publishAll();
    await fixture.hoursAgo('created_at', 15 * 24);
    expect(await isDue()).toBe(false);
    await fixture.hoursAgo('created_at', 13 * 24);
    expect(await isDue()).toBe(true);
    expect((await fixture.read()).status).toBe('verified');
  });

  it('checks a verified domain every day, and a failed one for another month', async () => {
    fixture.publishAll();
    await fixture.verify();
    await fixture.hoursAgo('checked_at', 23);
    expect(await isDue()).toBe(false);
    await fixture.hoursAgo('checked_at', 24);
    fixture.dns.withdraw(fixture.nameOf('spf'));
    expect(await isDue()).toBe(true);
    await fixture.hoursAgo('failing_since', 73);
    await fixture.hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(true);
    expect((await fixture.read()).status).toBe('failed');
    await fixture.hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(true);
    await fixture.hoursAgo('failing_since', 31 * 24);
    await fixture.hoursAgo('checked_at', 25);
    expect(await isDue()).toBe(false);
  });

  it('does not check a status declared by the operator', async () => {
    for (const status of ['verified', 'failed'] as const) {
      await fixture.catalog.putDomain(fixture.dataSource.manager, fixture.organizationId, {
        name: fixture.domain.name,
        status,
        expiresAt: null,
      });
      await fixture.hoursAgo('checked_at', 1_000);
      expect(await isDue()).toBe(false);
    }
  });

  it('continues if one domain is verified for another organization', async () => {
    const theirs = newId();
    const their = await fixture.addDomain(theirs, fixture.domain.name);
    fixture.publishAll();
    fixture.publishAll(their, ['spf', 'return_path']);
    expect(await fixture.checks.runDue()).toBe(2);
    const both = [await fixture.read(), await fixture.read(their.id, theirs)];
    expect(both.map(({ status }) => status).toSorted()).toEqual(['pending', 'verified']);
  });

  it('checks each domain once with several processes', async () => {
    const organization = newId();
    const added = [];
    for (let index = 0; index < 12; index++) added.push(await fixture.addDomain(organization, `many-${index}.example`));
    fixture.dns.asked.length = 0;
    const counts = await Promise.all([
      fixture.checks.runDue(5),
      fixture.checks.runDue(5),
      fixture.checks.runDue(5),
      fixture.checks.runDue(5),
    ]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(13);
    for (const each of added) {
      expect(fixture.dns.asked.filter((name) => name === fixture.nameOf('ownership', each))).toHaveLength(1);
    }
  });
});
