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
    () => Promise.reject(new Error('the email was accepted')),
    (error: Error) => ({ ...error, message: error.message }),
  );

describe('the mailbox simulator', () => {
  it('parses an email', async () => {
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

  it('returns null for missing parts', async () => {
    await client().sendMail({ envelope: { from: '', to: 'ann@elsewhere.example' }, raw: 'X-Only: this\r\n\r\n' });
    await send({ subject: undefined, text: undefined, html: '<p>html alone</p>' });
    const [bare, html] = await mailbox.messages();
    expect(bare).toMatchObject({ envelope: { from: '' }, subject: null, html: null, attachments: [] });
    expect(html).toMatchObject({ subject: null, text: null, html: '<p>html alone</p>' });
  });

  it('returns international domains in A-labels', async () => {
    await send({ to: 'ann@münchen.example' });
    const [message] = await mailbox.messagesTo('ann@München.example');
    expect(message!.envelope.to).toEqual(['ann@xn--mnchen-3ya.example']);
    expect(await mailbox.messagesTo('ann@XN--mnchen-3ya.example')).toHaveLength(1);
  });

  it('supports TLS with a verifiable certificate, and any credentials', async () => {
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

  it('rejects individual recipients at RCPT', async () => {
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

  it('rejects an email at DATA without storing it', async () => {
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

  it('prefers the behaviour of a recipient over the general behaviour', async () => {
    mailbox.behave({ reply: { code: 421, text: '4.3.2 shutting down' } });
    mailbox.behave({}, 'ann@elsewhere.example');
    await send();
    expect(await failure(send({ to: 'ben@elsewhere.example' }))).toMatchObject({ responseCode: 421 });
    mailbox.behaviours.reset('ann@elsewhere.example');
    expect(await failure(send())).toMatchObject({ responseCode: 421 });
  });

  it('stores the email and closes the connection after DATA', async () => {
    mailbox.behave({ cutAfterData: true }, 'ann@elsewhere.example');
    const { responseCode } = await failure(send());
    expect(responseCode).toBeUndefined();
    expect(await mailbox.messages()).toHaveLength(1);
    await send({ to: 'ben@elsewhere.example' });
    expect(mailbox.totals).toMatchObject({ received: 2, cutMails: 1 });
  });

  it.each(['rcpt', 'data'] as const)('delays the reply at %s', async (at) => {
    mailbox.behave({ at, delayMs: 300 });
    const startedAt = performance.now();
    await send();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('stops with connected clients and pending replies', async () => {
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
