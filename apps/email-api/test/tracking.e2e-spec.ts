import { poolOf } from '@heliograph/database';
import { TcpProxy, testServers, until } from '@heliograph/testing';
import type { RecipientRef } from '../src/events/recipient-event';
import { RecipientTokens } from '../src/tokens/recipient-tokens';
import { call, reportOf, sendOk, type Answer } from './calls';
import { EmailFixture, TOKEN_SECRET, type EmailTenant } from './email-fixture';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const TARGET = 'https://acme.example/offer?a=1&b=2';
const HTML = `<body><p>Hi</p><a href="https://acme.example/offer?a=1&amp;b=2">Offer</a></body>`;

interface Tracked {
  id: string;
  to: string;
  openPath: string;
  clickPath: string;
}

let email: EmailFixture;
let tenant: EmailTenant;
let proxy: TcpProxy;

beforeAll(async () => {
  proxy = await TcpProxy.start(testServers.databaseUrl);
  email = await EmailFixture.start({
    environment: (databaseUrl) => proxy.databaseSettings(databaseUrl, 10_000),
  });
  tenant = await email.tenant();
});
afterAll(async () => {
  proxy.heal();
  await email.stop();
  await proxy.stop();
});
afterEach(() => proxy.heal());

/** Creates a mail that was sent a minute ago. */
async function sendTracked(changes: object = {}): Promise<Tracked> {
  const to = email.recipient();
  const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', html: HTML, ...changes });
  const [mail] = await email.mailbox.messagesTo(to);
  const pathOf = (pattern: RegExp) => new URL(pattern.exec(mail?.html ?? '')?.[1] ?? '').pathname;
  await email.rows(`UPDATE email.recipients SET sent_at = now() - interval '1 minute' WHERE message_id = $1`, [id]);
  return { id, to, openPath: pathOf(/<img src="([^"]+)"/), clickPath: pathOf(/<a href="([^"]+)"/) };
}

function clickPathOf(secret: string, ref: RecipientRef, url: string): string {
  const tokens = new RecipientTokens([secret]);
  return tokens.clickPath(ref, tokens.clickTargetOf(url));
}

const visit = (path: string, userAgent = CHROME, method = 'GET'): Promise<Answer> =>
  call(email, path, { method, headers: { 'User-Agent': userAgent } });
const eventsOf = async ({ id }: Tracked) => (await reportOf(email, tenant.key, id)).events;

describe('the tracking pixel', () => {
  it('is public, and the report contains the open', async () => {
    const mail = await sendTracked();
    const answer = await visit(mail.openPath);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/gif');
    expect(answer.headers.get('content-length')).toBe('43');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.text).toMatch(/^GIF89a/);
    expect(await eventsOf(mail)).toMatchObject([{ type: 'opened', recipient: mail.to, url: null, reason: null }]);
    expect((await visit(`/api${mail.openPath}`)).text).toMatch(/^GIF89a/);
    expect(await eventsOf(mail)).toHaveLength(2);
  });

  it('records an open by a program with the reason machine', async () => {
    const mail = await sendTracked();
    await visit(mail.openPath, 'Mozilla/5.0');
    expect(await eventsOf(mail)).toMatchObject([{ type: 'opened', reason: 'machine' }]);
    await email.rows('UPDATE email.recipients SET sent_at = now() WHERE message_id = $1', [mail.id]);
    await visit(mail.openPath);
    expect(await eventsOf(mail)).toMatchObject([{ reason: 'machine' }, { reason: 'machine' }]);
  });

  it('is the same image for every token, valid or invalid', async () => {
    const mail = await sendTracked();
    const genuine = await visit(mail.openPath);
    const recorded = await eventsOf(mail);
    const other = new RecipientTokens(['a secret of somebody else']).openPath({ messageId: mail.id, position: 0 });
    for (const path of [
      other,
      mail.openPath.replace('.gif', ''),
      '/email/t/o/x.gif',
      `/email/t/o/${'x'.repeat(5_000)}`,
    ]) {
      const answer = await visit(path);
      expect([answer.status, answer.text]).toEqual([200, genuine.text]);
    }
    const nobody = new RecipientTokens([TOKEN_SECRET]).openPath({ messageId: mail.id, position: 7 });
    expect((await visit(nobody)).status).toBe(200);
    expect(await eventsOf(mail)).toEqual(recorded);
  });

  it('records nothing for HEAD', async () => {
    const mail = await sendTracked();
    const answer = await visit(mail.openPath, CHROME, 'HEAD');
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '43']);
    expect((await visit(mail.clickPath, CHROME, 'HEAD')).status).toBe(302);
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('can be loaded by many clients concurrently', async () => {
    const mails = await Promise.all(Array.from({ length: 10 }, () => sendTracked()));
    await Promise.all(mails.flatMap((mail) => Array.from({ length: 10 }, () => visit(mail.openPath))));
    for (const mail of mails) expect(await eventsOf(mail)).toHaveLength(10);
  });
});

describe('a tracked link', () => {
  it('redirects to the target, and the report contains the click', async () => {
    const mail = await sendTracked();
    const answer = await visit(mail.clickPath);
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, TARGET, '']);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await eventsOf(mail)).toMatchObject([{ type: 'clicked', recipient: mail.to, url: TARGET, reason: null }]);
    await visit(mail.clickPath, 'Barracuda Sentinel');
    expect(await eventsOf(mail)).toMatchObject([{ reason: null }, { type: 'clicked', reason: null }]);
  });

  it('supports internationalized targets', async () => {
    const mail = await sendTracked({ html: '<a href="https://bücher.example/ü?q=भ">x</a>' });
    const answer = await visit(mail.clickPath);
    expect(answer.headers.get('location')).toBe('https://xn--bcher-kva.example/%C3%BC?q=%E0%A4%AD');
    expect(await eventsOf(mail)).toMatchObject([{ url: 'https://bücher.example/ü?q=भ' }]);
  });

  it('does not redirect with an invalid signature', async () => {
    const mail = await sendTracked();
    const ref = { messageId: mail.id, position: 0 };
    const tokens = new RecipientTokens([TOKEN_SECRET]);
    const token = mail.clickPath.slice('/email/t/c/'.length);
    const evil = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 30),
      Buffer.from('https://evil.example/'),
    ]).toString('base64url');
    for (const path of [
      `/email/t/c/${evil}`,
      `${mail.clickPath}AAAA`,
      mail.clickPath.slice(0, -4),
      `/email/t/c/${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`,
      tokens.openPath(ref).replace('/o/', '/c/').replace('.gif', ''),
      tokens.unsubscribePath(ref).replace('/u/', '/t/c/'),
      clickPathOf('a secret of somebody else', ref, TARGET),
      '/email/t/c/x',
      '/email/t/c/https:%2F%2Fevil.example',
    ]) {
      const answer = await visit(path);
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.text).not.toContain('evil');
    }
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('redirects only to web URLs, even if the link is signed', async () => {
    const mail = await sendTracked();
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://', 'ftp://x.example/']) {
      const path = clickPathOf(TOKEN_SECRET, { messageId: mail.id, position: 0 }, url);
      const answer = await visit(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
    }
    expect(await eventsOf(mail)).toEqual([]);
  });
});

it('tracking responds while the database does not respond, and records the visits later', async () => {
  const mail = await sendTracked();
  const locker = await poolOf(email.tenants.dataSource).connect();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE email.recipients IN ACCESS EXCLUSIVE MODE');
  const startedAt = Date.now();
  const [picture, link] = await Promise.all([visit(mail.openPath), visit(mail.clickPath)]);
  expect([picture.status, link.status, link.headers.get('location')]).toEqual([200, 302, TARGET]);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  await locker.query('ROLLBACK');
  locker.release();
  const events = await until('both visits are in the report', async () => {
    const visitEvents = await eventsOf(mail);
    return visitEvents.length === 2 && visitEvents;
  });
  expect(events.map(({ type }) => type).toSorted()).toEqual(['clicked', 'opened']);
});

it('tracked links redirect while the database is unavailable', async () => {
  const mail = await sendTracked();
  proxy.cut();
  const startedAt = Date.now();
  const [picture, link] = await Promise.all([visit(mail.openPath), visit(mail.clickPath)]);
  expect([picture.status, link.status, link.headers.get('location')]).toEqual([200, 302, TARGET]);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  proxy.heal();
  await until('visits are recorded again', async () => {
    await visit(mail.openPath);
    return (await eventsOf(mail)).length > 0;
  });
});
