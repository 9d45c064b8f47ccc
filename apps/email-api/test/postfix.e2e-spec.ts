import { until } from '@heliograph/testing';
import { authenticate } from 'mailauth';
import { ReturnsService } from '../src/returns/returns.service';
import { reportOf, send, sendOk, type Report } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';
import { freePort, PostfixServer, whyPostfixCannotRun } from './postfix-server';

const reason = whyPostfixCannotRun();
if (reason !== null) console.warn(`Nothing is tested against Postfix: ${reason}.`);

const ANN = 'ann@readers.example';
const BOB = 'bob@readers.example';
/** Addresses without a mailbox: one is rejected after queueing, the other at RCPT. */
const GONE = 'gone@readers.example';
const UNKNOWN = 'unknown@strict.example';

(reason === null ? describe : describe.skip)('behind Postfix', () => {
  let email: EmailFixture;
  let postfix: PostfixServer;
  let tenant: EmailTenant;

  beforeAll(async () => {
    const port = await freePort();
    email = await EmailFixture.start({
      environment: { EMAIL_SMTP_URL: `smtp://127.0.0.1:${port}`, EMAIL_SMTP_TIMEOUT_MS: '10000' },
    });
    tenant = await email.tenant();
    const { port: returnPort } = email.service.app.get(ReturnsService);
    postfix = await PostfixServer.start({
      port,
      mailboxes: [ANN, BOB],
      domains: { 'readers.example': 'after accepting', 'strict.example': 'at RCPT' },
      returnPath: { domain: 'bounces.heliograph.example', port: returnPort ?? 0 },
    });
  });
  afterAll(async () => {
    await postfix?.stop();
    await email?.stop();
  });

  const fields = (to: string | string[]): object => ({ to, subject: 'Grüße', html: '<p>Grüße</p>\n.\n..dots' });
  const credits = (): Promise<number> => email.balance(tenant.workspaceId);
  const suppressions = (address: string): Promise<{ reason: string }[]> =>
    email.rows('SELECT reason FROM email.suppressions WHERE address_key = $1', [address]);
  const reportWith = (id: string, status: string): Promise<Report> =>
    until(`the report says ${status}`, async () => {
      const report = await reportOf(email, tenant.key, id);
      return report.status === status && report;
    });

  it('Postfix delivers a signed mail, and its notification sets the status to delivered', async () => {
    const { id, results } = await sendOk(email, tenant.key, fields(ANN));
    const report = await reportWith(id, 'delivered');
    expect(report.events.map(({ type, recipient }) => [type, recipient])).toEqual([['delivered', ANN]]);

    const mails = postfix.mails(ANN);
    expect(mails).toHaveLength(1);
    const raw = mails[0]!.toString('latin1');
    expect(raw).toContain(String(results[0]?.messageId));
    expect(raw).toMatch(/^Return-Path: <[a-z2-7]{48}@bounces\.heliograph\.example>$/m);
    expect(await signaturesOf(raw)).toEqual([['pass', tenant.domain]]);
  });

  it('Postfix delivers a separate mail to each recipient and sends a notification for each', async () => {
    const { id } = await sendOk(email, tenant.key, fields([BOB, 'ann+news@readers.example']));
    const report = await until('one mail is delivered and the other has bounced', async () => {
      const current = await reportOf(email, tenant.key, id);
      return current.events.length === 2 && current;
    });
    expect(new Set(report.events.map(({ type, recipient }) => `${type} ${recipient}`))).toEqual(
      new Set([`delivered ${BOB}`, 'bounced ann+news@readers.example']),
    );
    expect(postfix.mails(BOB)).toHaveLength(1);
  });

  it('a recipient that does not exist bounces, is suppressed and is then skipped', async () => {
    const before = await credits();
    const { id, ...answer } = await sendOk(email, tenant.key, fields(GONE));
    expect(answer).toMatchObject({ status: 'sent', sentCount: 1, failedCount: 0 });
    const report = await reportWith(id, 'bounced');
    expect(report.events).toEqual([
      expect.objectContaining({ type: 'bounced', recipient: GONE, reason: expect.stringMatching(/unknown user/) }),
    ]);
    expect(await suppressions(GONE)).toEqual([{ reason: 'bounced' }]);
    // Accepted by the backend, so the credit is not refunded.
    expect(await credits()).toBe(before - 1);

    expect(await sendOk(email, tenant.key, fields(GONE))).toMatchObject({
      status: 'skipped',
      sentCount: 0,
      skippedCount: 1,
    });
    expect(await credits()).toBe(before - 1);
  });

  it('a recipient that is rejected at RCPT fails, is refunded and is suppressed', async () => {
    const before = await credits();
    const answer = await send(email, tenant.key, fields(UNKNOWN));
    expect([answer.status, answer.body['code']]).toEqual([502, 'EMAIL_SEND_FAILED']);
    expect(answer.body['message']).toContain('User unknown');
    expect(await credits()).toBe(before);
    expect(await suppressions(UNKNOWN)).toEqual([{ reason: 'bounced' }]);
  });

  /** Verifies with the key of the DNS record that the owner of the domain must publish. */
  async function signaturesOf(raw: string): Promise<[string, string][]> {
    const [domain] = await email.rows<{ selector: string; key: string }>(
      'SELECT dkim_selector AS selector, dkim_public_key AS key FROM email.domains WHERE name = $1',
      [tenant.domain],
    );
    const resolver = (name: string, type: string): Promise<string[][]> =>
      type === 'TXT' && name === `${domain?.selector}._domainkey.${tenant.domain}`
        ? Promise.resolve([[`v=DKIM1; k=rsa; p=${domain?.key}`]])
        : Promise.reject(Object.assign(new Error('no such record'), { code: 'ENOTFOUND' }));
    // A Unix mailbox has LF line ends.
    const { dkim } = await authenticate(Buffer.from(raw.replaceAll('\n', '\r\n'), 'latin1'), {
      trustReceived: false,
      resolver,
      ip: '127.0.0.1',
      helo: 'localhost',
      sender: tenant.from,
    });
    return dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain]);
  }
});
