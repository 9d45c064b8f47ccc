import { TcpProxy, testServers, until } from '@heliograph/testing';
import { abuseReport, mailOf, postfixNotification } from '../src/returns/notifications/notification.fixture';
import { ReturnsService } from '../src/returns/returns.service';
import { RawSmtpClient } from '../src/returns/smtp-client.fixture';
import { RecipientTokens } from '../src/tokens/recipient-tokens';
import { reportOf, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const ABUSE_DESK = 'abuse@bounces.heliograph.example';

interface SentMail {
  id: string;
  to: string;
  /** The envelope sender. */
  returnPath: string;
  messageId: string;
  listUnsubscribe: string;
}

let email: EmailFixture;
let tenant: EmailTenant;
let proxy: TcpProxy;
let client: RawSmtpClient;

beforeAll(async () => {
  proxy = await TcpProxy.start(testServers.databaseUrl);
  email = await EmailFixture.start({
    environment: (databaseUrl) => proxy.databaseSettings(databaseUrl),
  });
  tenant = await email.tenant();
  client = await connect();
});
afterAll(async () => {
  client.end();
  proxy.heal();
  await email.stop();
  await proxy.stop();
});
afterEach(() => proxy.heal());

async function connect(): Promise<RawSmtpClient> {
  const connected = await RawSmtpClient.connect(email.service.app.get(ReturnsService).port!);
  await connected.command('EHLO mx.acme.example');
  return connected;
}

async function sendMails(count: number): Promise<SentMail[]> {
  const to = Array.from({ length: count }, () => email.recipient());
  const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi' });
  return Promise.all(
    to.map(async (address) => {
      const [mail] = await email.mailbox.messagesTo(address);
      const { envelope, headers } = mail!;
      return {
        id,
        to: address,
        returnPath: envelope.from,
        messageId: String(headers['message-id']),
        listUnsubscribe: String(headers['list-unsubscribe']),
      };
    }),
  );
}

const sendMail = async (): Promise<SentMail> => (await sendMails(1))[0]!;
const reportFor = ({ id }: SentMail) => reportOf(email, tenant.key, id);
const nextMail = async ({ to }: SentMail): Promise<string> =>
  (await sendOk(email, tenant.key, { to, subject: 'Again', text: 'Again' })).status;

describe('a delivery notification', () => {
  it('for an invalid address bounces the mail and suppresses the address', async () => {
    const mail = await sendMail();
    expect(await client.send(postfixNotification(mail.returnPath), mail.returnPath)).toMatch(/^250 /);
    expect(await reportFor(mail)).toMatchObject({
      status: 'bounced',
      events: [
        { type: 'bounced', recipient: mail.to, url: null, reason: '550 5.1.1 <jane@acme.example>: no such user' },
      ],
    });
    expect(await nextMail(mail)).toBe('skipped');
  });

  it.each([
    ['5.2.2', 'smtp; 552 5.2.2 the mailbox is full'],
    ['4.4.7', null],
    ['5.4.4', 'X-Postfix; Host or domain name not found'],
    ['5.0.0', 'smtp; 550 Mailbox unavailable'],
    ['5.1.7', 'smtp; 550 5.1.7 Bad sender address: no such user'],
    ['5.1.8', 'smtp; 550 5.1.8 Bad sender system'],
    ['5.1.90', 'smtp; 550 5.1.90 Your message cannot be sent'],
  ])('for another failure (%s) bounces only this mail', async (status, diagnostic) => {
    const mail = await sendMail();
    await client.send(postfixNotification(mail.returnPath, { status, diagnostic }), mail.returnPath);
    const reason = diagnostic?.replace(/^\S+; /, '') ?? status;
    expect(await reportFor(mail)).toMatchObject({ status: 'bounced', events: [{ type: 'bounced', reason }] });
    expect(await nextMail(mail)).toBe('sent');
  });

  it.each([
    ['5.0.0', 'smtp; 550 User unknown'],
    ['5.4.1', 'smtp; 550 5.4.1 Recipient address rejected: Access denied. [DB5EUR01FT012.example]'],
    ['5.0.0', "smtp; 554 delivery error: dd This user doesn't have a yahoo.example account (jane@acme.example)"],
  ])('with the status %s and the text "%s" suppresses the unknown mailbox', async (status, diagnostic) => {
    const mail = await sendMail();
    await client.send(postfixNotification(mail.returnPath, { status, diagnostic }), mail.returnPath);
    expect(await reportFor(mail)).toMatchObject({ status: 'bounced' });
    expect(await nextMail(mail)).toBe('skipped');
  });

  it('that returns an original of 20 MB bounces the mail', async () => {
    const mail = await sendMail();
    const notice = postfixNotification(mail.returnPath).toString('latin1');
    const end = notice.lastIndexOf('\r\n--');
    const large = `${notice.slice(0, end)}\r\n${`${'x'.repeat(98)}\r\n`.repeat(200_000)}${notice.slice(end)}`;
    expect(await client.send(Buffer.from(large, 'latin1'), mail.returnPath)).toMatch(/^250 /);
    expect(await reportFor(mail)).toMatchObject({ status: 'bounced' });
  });

  it('for a domain without a mail server suppresses the address on the third day', async () => {
    const mails = await sendMails(4);
    // All tests use one domain, and deliveries reset its count.
    await email.rows('DELETE FROM email.failing_domains');
    for (const [index, { to, returnPath }] of mails.entries()) {
      const diagnostic = 'X-Postfix; Host or domain name not found. Name service error for name=acme.example';
      await client.send(postfixNotification(returnPath, { status: '4.4.3', diagnostic }), returnPath);
      const found = await email.rows('SELECT FROM email.suppressions WHERE address_key = $1', [to]);
      expect(found).toHaveLength(index < 2 ? 0 : 1);
      await email.rows(`UPDATE email.failing_domains SET failed_at = failed_at - interval '1 day'`);
    }
  });

  it('of success sets the status to delivered', async () => {
    const mail = await sendMail();
    const raw = postfixNotification(mail.returnPath, { action: 'delivered', status: '2.0.0', diagnostic: null });
    expect(await client.send(raw, mail.returnPath)).toMatch(/^250 /);
    expect(await reportFor(mail)).toMatchObject({ status: 'delivered', events: [{ type: 'delivered', reason: null }] });
  });

  it('of a relay to a server without notifications counts as delivered to the next hop, until the mail bounces', async () => {
    const mail = await sendMail();
    const raw = postfixNotification(mail.returnPath, { action: 'relayed', status: '2.0.0', diagnostic: null });
    expect(await client.send(raw, mail.returnPath)).toMatch(/^250 /);
    expect(await reportFor(mail)).toMatchObject({
      status: 'delivered',
      events: [{ type: 'delivered', recipient: mail.to, reason: 'relayed' }],
    });
    await client.send(postfixNotification(mail.returnPath), mail.returnPath);
    expect(await reportFor(mail)).toMatchObject({ status: 'bounced' });
  });

  it('of success after a bounce does not change the status', async () => {
    const mail = await sendMail();
    await client.send(postfixNotification(mail.returnPath), mail.returnPath);
    const success = { action: 'delivered', status: '2.0.0', diagnostic: null } as const;
    await client.send(postfixNotification(mail.returnPath, success), mail.returnPath);
    expect(await reportFor(mail)).toMatchObject({ status: 'bounced' });
  });

  it('of a bounce does not replace the reason of a suppression, which a complaint does', async () => {
    const mail = await sendMail();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, scope, address, reason) VALUES ($1, $2, 'all', $2, 'manual')`,
      [tenant.organizationId, mail.to],
    );
    const reason = () => email.rows('SELECT reason FROM email.suppressions WHERE address_key = $1', [mail.to]);
    await client.send(postfixNotification(mail.returnPath), mail.returnPath);
    expect(await reason()).toEqual([{ reason: 'manual' }]);
    await client.send(abuseReport(), mail.returnPath);
    expect(await reason()).toEqual([{ reason: 'complained' }]);
  });

  it('of a delay has no effect', async () => {
    const mail = await sendMail();
    const raw = postfixNotification(mail.returnPath, { action: 'delayed', status: '4.4.1' });
    expect(await client.send(raw, mail.returnPath)).toMatch(/^250 /);
    expect(await reportFor(mail)).toMatchObject({ status: 'sent', events: [] });
  });

  it('counts once if it is repeated or its address is written in another case', async () => {
    const mail = await sendMail();
    for (const address of [mail.returnPath, mail.returnPath.toUpperCase(), mail.returnPath]) {
      expect(await client.send(postfixNotification(address), address)).toMatch(/^250 /);
    }
    expect((await reportFor(mail)).events).toHaveLength(1);
  });

  it('affects only its own recipient of a send', async () => {
    const [bounced, ...others] = await sendMails(3);
    await client.send(postfixNotification(bounced!.returnPath), bounced!.returnPath);
    const { events } = await reportFor(bounced!);
    expect(events.map(({ recipient }) => recipient)).toEqual([bounced!.to]);
    for (const mail of others) expect(await nextMail(mail)).toBe('sent');
  });
});

describe('an abuse report', () => {
  it('suppresses the address', async () => {
    const mail = await sendMail();
    expect(await client.send(abuseReport(), mail.returnPath)).toMatch(/^250 /);
    expect((await reportFor(mail)).events).toMatchObject([{ type: 'complained', recipient: mail.to, reason: 'abuse' }]);
    expect(await nextMail(mail)).toBe('skipped');
  });

  it.each<[string, (mail: SentMail) => Parameters<typeof abuseReport>[0]]>([
    ['its envelope sender', ({ returnPath }) => ({ mailFrom: returnPath })],
    ['its Return-Path', ({ returnPath }) => ({ quoted: [`Return-Path: <${returnPath}>`] })],
    ['its Message-ID', ({ messageId }) => ({ quoted: [`Message-ID: ${messageId}`] })],
    ['its List-Unsubscribe', ({ listUnsubscribe }) => ({ quoted: [`List-Unsubscribe: ${listUnsubscribe}`] })],
  ])('to the abuse mailbox identifies the mail by %s', async (_what, fieldsOf) => {
    const mail = await sendMail();
    expect(await client.send(abuseReport(fieldsOf(mail)), ABUSE_DESK)).toMatch(/^250 /);
    expect((await reportFor(mail)).events).toMatchObject([{ type: 'complained', recipient: mail.to }]);
  });

  it('that retracts a complaint or identifies no mail has no effect', async () => {
    const mail = await sendMail();
    const forged = mail.messageId.replace(/^<./, (start) => (start === '<a' ? '<b' : '<a'));
    await client.send(abuseReport({ feedbackType: 'not-spam' }), mail.returnPath);
    await client.send(abuseReport({ quoted: [`Message-ID: ${forged}`], mailFrom: 'x@y.example' }), ABUSE_DESK);
    expect((await reportFor(mail)).events).toEqual([]);
    expect(await nextMail(mail)).toBe('sent');
  });
});

it('the notification of a real mail server is parsed', async () => {
  const [bounced, delivered, complained] = await sendMails(3);
  await email.mailbox.notify({ to: bounced!.to, action: 'failed', status: '5.1.1' });
  await email.mailbox.notify({ to: delivered!.to, action: 'delivered', status: '2.0.0' });
  await email.mailbox.complain(complained!.to);
  const { events } = await reportFor(bounced!);
  expect(Object.fromEntries(events.map(({ type, recipient }) => [type, recipient]))).toEqual({
    bounced: bounced!.to,
    delivered: delivered!.to,
    complained: complained!.to,
  });
});

describe('other mail', () => {
  it('to a return path is accepted and discarded', async () => {
    const mail = await sendMail();
    const absent = mailOf('Auto-Submitted: auto-replied', 'Subject: Out of office', '', 'Action: failed');
    for (const raw of [absent, Buffer.from('\0\xff'.repeat(500), 'latin1'), mailOf('')]) {
      expect(await client.send(raw, mail.returnPath)).toMatch(/^250 /);
    }
    expect(await reportFor(mail)).toMatchObject({ status: 'sent', events: [] });
  });

  it('to an unknown address is rejected at RCPT', async () => {
    const mail = await sendMail();
    const forged = new RecipientTokens(['a secret of somebody else']).returnPathOf({ messageId: mail.id, position: 0 });
    await client.command('MAIL FROM:<>');
    for (const localPart of [forged, 'jane', mail.returnPath.slice(1, 48), 'x'.repeat(64)]) {
      expect(await client.command(`RCPT TO:<${localPart}@bounces.heliograph.example>`)).toMatch(/^550 5\.1\.1 /);
    }
    await client.command('RSET');
    expect((await reportFor(mail)).events).toEqual([]);
  });

  it('to the abuse mailbox does not confirm a delivery', async () => {
    const mail = await sendMail();
    expect(await client.send(postfixNotification(mail.returnPath), ABUSE_DESK)).toMatch(/^250 /);
    expect((await reportFor(mail)).events).toEqual([]);
  });
});

it('many concurrent notifications are recorded', async () => {
  const mails = await sendMails(100);
  const clients = await Promise.all(Array.from({ length: 10 }, connect));
  await Promise.all(
    clients.map(async (each, lane) => {
      for (const { returnPath } of mails.filter((_mail, index) => index % clients.length === lane)) {
        expect(await each.send(postfixNotification(returnPath), returnPath)).toMatch(/^250 /);
      }
      each.end();
    }),
  );
  const { status, events } = await reportFor(mails[0]!);
  expect(status).toBe('bounced');
  expect(events.map(({ recipient }) => recipient).toSorted()).toEqual(mails.map(({ to }) => to).toSorted());
});

it('the client is asked to retry while the database is unavailable', async () => {
  const mail = await sendMail();
  proxy.cut();
  expect(await client.send(postfixNotification(mail.returnPath), mail.returnPath)).toMatch(/^451 /);
  proxy.heal();
  await until('the mail is accepted', async () =>
    (await client.send(postfixNotification(mail.returnPath), mail.returnPath)).startsWith('250'),
  );
  expect((await reportFor(mail)).events).toHaveLength(1);
});

it('the listener runs only in workers', async () => {
  const api = await email.beside({ ROLE: 'api' });
  expect(api.service.app.get(ReturnsService).port).toBeNull();
  await api.service.stop();
});
