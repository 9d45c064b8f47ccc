import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailboxSimulator } from './mailbox-simulator';

type Options = Parameters<typeof createTransport>[0] & object;

const open: { close(): void }[] = [];
let mailbox: MailboxSimulator;

beforeEach(async () => {
  mailbox = new MailboxSimulator();
  await mailbox.start();
});

afterEach(async () => {
  for (const transport of open.splice(0)) transport.close();
  await mailbox.stop();
});

function client(options: Options = {}) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: mailbox.smtpPort,
    ignoreTLS: true,
    ...options,
  } as Options);
  open.push(transport);
  return transport;
}

const mail: SendMailOptions = { from: 'hello@acme.example', to: 'ann@elsewhere.example', subject: 'Hi', text: 'Hello' };
const send = (changes: SendMailOptions = {}) => client().sendMail({ ...mail, ...changes });
const failure = (sending: Promise<unknown>): Promise<Record<string, unknown>> =>
  sending.then(
    () => Promise.reject(new Error('it was taken')),
    (error: Error) => ({ ...error, message: error.message }),
  );

describe('the mailbox simulator', () => {
  it('shows what a mail is made of', async () => {
    const before = Date.now();
    await send({
      from: '"Zoë" <hello@acme.example>',
      envelope: { from: 'token@return.example', to: 'Ann@Elsewhere.example' },
      subject: 'Grüße aus München, und noch viel mehr davon: 日本語のとても長い件名です 😀',
      text: 'plain\n.\n..dots\nünïcode',
      html: '<p>Hi <b>Zoë</b></p>',
      headers: { 'X-Tag': ['one', 'två'], 'List-Unsubscribe': '<https://acme.example/u>' },
      attachments: [{ filename: 'überblick.pdf', content: Buffer.alloc(3_000, 7), contentType: 'application/pdf' }],
    });
    const [message, ...others] = await mailbox.messagesTo('ann@elsewhere.example');
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      envelope: { from: 'token@return.example', to: ['Ann@elsewhere.example'] },
      subject: 'Grüße aus München, und noch viel mehr davon: 日本語のとても長い件名です 😀',
      text: 'plain\n.\n..dots\nünïcode',
      html: '<p>Hi <b>Zoë</b></p>',
      attachments: [{ filename: 'überblick.pdf', contentType: 'application/pdf', size: 3_000 }],
    });
    expect(message!.headers).toMatchObject({
      from: 'Zoë <hello@acme.example>',
      'x-tag': ['one', 'två'],
      'list-unsubscribe': '<https://acme.example/u>',
      subject: message!.subject,
    });
    expect(message!.raw).toContain('\r\nTo: ann@elsewhere.example\r\n');
    expect(message!.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Date.parse(message!.at)).toBeGreaterThanOrEqual(before);
    expect(new Date(message!.at).toISOString()).toBe(message!.at);
  });

  it('has null for what a mail has not', async () => {
    await client().sendMail({ envelope: { from: '', to: 'ann@elsewhere.example' }, raw: 'X-Only: this\r\n\r\n' });
    await send({ subject: undefined, text: undefined, html: '<p>html alone</p>' });
    const [bare, html] = await mailbox.messages();
    expect(bare).toMatchObject({ envelope: { from: '' }, subject: null, html: null, attachments: [] });
    expect(html).toMatchObject({ subject: null, text: null, html: '<p>html alone</p>' });
  });

  it('keeps the order, and tells one recipient from another', async () => {
    const transport = client({ pool: true, maxConnections: 1 });
    for (const subject of ['1', '2', '3']) await transport.sendMail({ ...mail, subject });
    await transport.sendMail({ ...mail, to: ['ben@elsewhere.example', 'ann@elsewhere.example'], subject: '4' });
    const subjects = async (to?: string) => (await mailbox.messages(to)).map(({ subject }) => subject);
    expect(await subjects()).toEqual(['1', '2', '3', '4']);
    expect(await subjects('ANN@elsewhere.EXAMPLE')).toEqual(['1', '2', '3', '4']);
    expect(await subjects('ben@elsewhere.example')).toEqual(['4']);
    expect(await subjects('cid@elsewhere.example')).toEqual([]);
  });

  it('shows international domains as they were on the wire', async () => {
    await send({ to: 'ann@münchen.example' });
    const [message] = await mailbox.messagesTo('ann@München.example');
    expect(message!.envelope.to).toEqual(['ann@xn--mnchen-3ya.example']);
    expect(await mailbox.messagesTo('ann@XN--mnchen-3ya.example')).toHaveLength(1);
  });

  it('speaks TLS with a certificate that can be verified, and takes any credentials', async () => {
    const secured = client({
      ignoreTLS: false,
      requireTLS: true,
      tls: { ca: mailbox.certificate, servername: 'localhost' },
      auth: { user: 'any', pass: 'thing' },
    });
    await secured.sendMail(mail);
    await client({ auth: { user: 'in', pass: 'clear' } }).sendMail(mail);
    expect(mailbox.totals.received).toBe(2);
  });

  it('takes 25 MB', async () => {
    await send({ attachments: [{ filename: 'big.bin', content: Buffer.alloc(18_500_000, 'x') }] });
    const [message] = await mailbox.messages();
    expect(message!.raw.length).toBeGreaterThan(25_000_000);
    expect(message!.attachments).toEqual([
      { filename: 'big.bin', contentType: 'application/octet-stream', size: 18_500_000 },
    ]);
  });

  it('refuses at RCPT with the reply that it was told, one recipient and not the other', async () => {
    mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, 'GONE@elsewhere.example');
    expect(await failure(send({ to: 'gone@elsewhere.example' }))).toMatchObject({
      responseCode: 550,
      response: '550 5.1.1 no such user',
      command: 'RCPT TO',
    });
    await send({ to: ['gone@elsewhere.example', 'ann@elsewhere.example'] });
    const messages = await mailbox.messages();
    expect(messages.map(({ envelope }) => envelope.to)).toEqual([['ann@elsewhere.example']]);
    expect(mailbox.totals).toMatchObject({ received: 1, refusedRecipients: 2 });
  });

  it('refuses at DATA, and forgets what it refused', async () => {
    mailbox.behave({ at: 'data', reply: { code: 451, text: '4.7.1 greylisted' } });
    expect(await failure(send())).toMatchObject({
      responseCode: 451,
      response: '451 4.7.1 greylisted',
      command: 'DATA',
    });
    expect(await mailbox.messages()).toEqual([]);
    mailbox.behaviours.reset();
    await send();
    expect(mailbox.totals).toMatchObject({ received: 1, refusedMails: 1 });
  });

  it('lets an exception go before what holds for everybody', async () => {
    mailbox.behave({ reply: { code: 421, text: '4.3.2 shutting down' } });
    mailbox.behave({}, 'ann@elsewhere.example');
    await send();
    expect(await failure(send({ to: 'ben@elsewhere.example' }))).toMatchObject({ responseCode: 421 });
    mailbox.behaviours.reset('ann@elsewhere.example');
    expect(await failure(send())).toMatchObject({ responseCode: 421 });
  });

  it('keeps the mail and cuts the connection after DATA', async () => {
    mailbox.behave({ cutAfterData: true }, 'ann@elsewhere.example');
    const { responseCode } = await failure(send());
    expect(responseCode).toBeUndefined();
    expect(await mailbox.messages()).toHaveLength(1);
    await send({ to: 'ben@elsewhere.example' });
    expect(mailbox.totals).toMatchObject({ received: 2, cutMails: 1 });
  });

  it('cuts a connection under TLS likewise', async () => {
    mailbox.behave({ cutAfterData: true });
    const secured = client({ ignoreTLS: false, requireTLS: true, tls: { rejectUnauthorized: false } });
    expect((await failure(secured.sendMail(mail))).responseCode).toBeUndefined();
    expect(mailbox.totals.cutMails).toBe(1);
  });

  it.each(['rcpt', 'data'] as const)('delays the answer at %s', async (at) => {
    mailbox.behave({ at, delayMs: 300 });
    const startedAt = performance.now();
    await send();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('stops with clients connected and answers outstanding', async () => {
    mailbox.behave({ delayMs: 60_000 });
    const sending = failure(send());
    const idle = client({ pool: true });
    await idle.verify();
    while (mailbox.totals.connections < 1) await new Promise(setImmediate);
    const startedAt = performance.now();
    await mailbox.stop();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await sending).responseCode).toBeUndefined();
  });
});
