import { createServer } from 'node:net';
import { simpleParser } from 'mailparser';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import type { MailboxMessage } from './mail-message';
import { MailboxSimulator } from './mailbox-simulator';

let mailbox: MailboxSimulator;
/** Another mail server, in the place of the listener. */
let listener: MailboxSimulator;
let api: ControlApi;
let origin: string;

beforeEach(async () => {
  listener = new MailboxSimulator();
  await listener.start();
  mailbox = new MailboxSimulator({ returnPath: { host: '127.0.0.1', port: listener.smtpPort } });
  await mailbox.start();
  api = createControlApi({ mailbox });
  origin = `http://127.0.0.1:${await api.start()}`;
});

afterEach(async () => {
  await api.stop();
  await mailbox.stop();
  await listener.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${origin}${path}`, { method, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

async function send(changes: SendMailOptions = {}): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ignoreTLS: true });
  await transport.sendMail({
    from: 'hello@acme.example',
    to: 'ann@elsewhere.example',
    envelope: { from: 'token.1@return.example', to: 'ann@elsewhere.example' },
    subject: 'Hi',
    text: 'Hello',
    messageId: '<m1@acme.example>',
    ...changes,
  });
  transport.close();
}

const OK = { status: 200, body: { ok: true } };
const refusal = (status: number, words: string) => ({ status, body: { error: expect.stringContaining(words) } });

describe('the mailbox in the control API', () => {
  it('lists mails, of one address when asked, and forgets them', async () => {
    await send();
    const all = await call('GET', '/mailbox/messages');
    expect(all).toEqual({
      status: 200,
      body: {
        messages: [
          {
            envelope: { from: 'token.1@return.example', to: ['ann@elsewhere.example'] },
            headers: expect.objectContaining({ subject: 'Hi', 'message-id': '<m1@acme.example>' }),
            subject: 'Hi',
            text: 'Hello',
            html: null,
            attachments: [],
            raw: expect.stringContaining('\r\n\r\nHello\r\n'),
            at: expect.any(String),
          },
        ],
      },
    });
    expect(await call('GET', '/mailbox/messages?to=Ann%40ELSEWHERE.example')).toEqual(all);
    expect(await call('GET', '/mailbox/messages?to=ben@elsewhere.example')).toMatchObject({ body: { messages: [] } });
    expect(await call('DELETE', '/mailbox/messages')).toEqual(OK);
    expect(await call('GET', '/mailbox/messages')).toMatchObject({ body: { messages: [] } });
  });

  it('sets, replaces and removes the behaviour for one recipient', async () => {
    const reply = { code: 550, text: '5.1.1 no such user' };
    const of = (to: string) => mailbox.behaviours.of(to);
    expect(await call('PUT', '/mailbox/behaviour', { delayMs: 5 })).toEqual(OK);
    expect(await call('PUT', '/mailbox/behaviour', { match: { to: 'ann@x.example' }, cutAfterData: true })).toEqual(OK);
    expect(await call('PUT', '/mailbox/behaviour', { match: { to: 'ANN@X.example' }, at: 'data', reply })).toEqual(OK);
    expect(of('Ann@x.example')).toEqual({ at: 'data', reply, delayMs: 0, cutAfterData: false });
    expect(of('ben@x.example')).toEqual({ at: 'rcpt', delayMs: 5, cutAfterData: false });
    expect(await call('DELETE', '/mailbox/behaviour', { match: { to: 'aNN@x.example' } })).toEqual(OK);
    expect(of('ann@x.example').delayMs).toBe(5);
    expect(await call('DELETE', '/mailbox/behaviour')).toEqual(OK);
    expect(of('ann@x.example')).toEqual({ at: 'rcpt', delayMs: 0, cutAfterData: false });
  });

  it.each([
    ['PUT', 'behaviour', 'at', { at: 'mail' }],
    ['PUT', 'behaviour', 'reply.code', { reply: { code: 354, text: 'go on' } }],
    ['PUT', 'behaviour', 'reply.code', { reply: { code: '550', text: 'x' } }],
    ['PUT', 'behaviour', 'reply.text', { reply: { code: 550, text: 'x\r\n250 ok' } }],
    ['PUT', 'behaviour', 'reply.text', { reply: { code: 550 } }],
    ['PUT', 'behaviour', 'delayMs', { delayMs: -1 }],
    ['PUT', 'behaviour', 'cutAfterData', { cutAfterData: 'yes' }],
    ['PUT', 'behaviour', 'match.to', { match: { to: '+4915112345' } }],
    ['PUT', 'behaviour', 'match.to', { match: {} }],
    ['PUT', 'behaviour', 'cut', { cut: true }],
    ['DELETE', 'behaviour', 'to', { to: 'ann@x.example' }],
    ['POST', 'notify', 'to', { action: 'failed', status: '5.1.1' }],
    ['POST', 'notify', 'action', { to: 'ann@x.example', action: 'bounced', status: '5.1.1' }],
    ['POST', 'notify', 'status', { to: 'ann@x.example', action: 'failed', status: '550' }],
    ['POST', 'notify', 'body', undefined],
    ['POST', 'complain', 'to', {}],
  ])('%s %s names %s when it is wrong', async (method, path, field, body) => {
    expect(await call(method, `/mailbox/${path}`, body)).toEqual(refusal(400, field));
  });

  it.each([
    ['failed', '5.1.1', '550 5.1.1'],
    ['delayed', '4.4.1', '451 4.4.1'],
    ['delivered', '2.0.0', '250 2.0.0'],
  ])('sends a notification of %s to the return path of the last mail', async (action, status, diagnostic) => {
    await send({ envelope: { from: 'token.0@return.example', to: 'ann@elsewhere.example' } });
    await send();
    expect(await call('POST', '/mailbox/notify', { to: 'ANN@elsewhere.example', action, status })).toEqual(OK);
    const [report, ...others] = await listener.messages();
    expect(others).toEqual([]);
    expect(report!.envelope).toEqual({ from: '', to: ['token.1@return.example'] });
    expect(report!.headers['content-type']).toContain('multipart/report; report-type=delivery-status');
    expect(report!.text).toContain('mail to <ANN@elsewhere.example>');
    const [fields, original] = await parts(report!);
    expect(fields).toMatchObject({ type: 'message/delivery-status' });
    expect(fields!.content.split('\r\n\r\n')).toEqual([
      expect.stringMatching(/^Reporting-MTA: dns; \S+\r\nArrival-Date: \w{3}, [^\r]* \+0000$/),
      expect.stringMatching(
        new RegExp(
          `^Final-Recipient: rfc822; ANN@elsewhere.example\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${diagnostic} `,
        ),
      ),
    ]);
    expect(original!.type).toBe('text/rfc822-headers');
    expect(original!.content).toContain('Message-ID: <m1@acme.example>\r\n');
    expect(original!.content).not.toContain('Hello');
  });

  it('sends an abuse report likewise, with the mail in it', async () => {
    await send();
    expect(await call('POST', '/mailbox/complain', { to: 'ann@elsewhere.example' })).toEqual(OK);
    const [report] = await listener.messages();
    expect(report!.envelope).toEqual({ from: '', to: ['token.1@return.example'] });
    expect(report!.headers['content-type']).toContain('report-type=feedback-report');
    const [fields, original] = await parts(report!);
    expect(fields!.type).toBe('message/feedback-report');
    expect(fields!.content).toMatch(/^Feedback-Type: abuse\r\nUser-Agent: \S+\r\nVersion: 1\r\n/);
    expect(fields!.content).toContain('Original-Mail-From: <token.1@return.example>\r\n');
    expect(fields!.content).toContain('Original-Rcpt-To: <ann@elsewhere.example>\r\n');
    expect(original!.type).toBe('message/rfc822');
    expect(original!.content).toContain('Message-ID: <m1@acme.example>\r\n');
    expect(original!.content).toContain('\r\n\r\nHello\r\n');
  });

  it('says when there was no mail, or one that wants no answer', async () => {
    const notice = { to: 'ann@elsewhere.example', action: 'failed', status: '5.1.1' };
    expect(await call('POST', '/mailbox/notify', notice)).toEqual(refusal(404, 'no mail to ann@elsewhere.example'));
    expect(await call('POST', '/mailbox/complain', { to: 'ann@elsewhere.example' })).toEqual(refusal(404, 'no mail'));
    await send({ envelope: { from: '', to: 'ann@elsewhere.example' } });
    expect(await call('POST', '/mailbox/notify', notice)).toEqual(refusal(404, 'no return path'));
    expect(await listener.messages()).toEqual([]);
  });

  it('says what the listener had against a report, and when nobody listens', async () => {
    await send();
    listener.behave({ reply: { code: 550, text: '5.7.1 forged token' } });
    const complain = () => call('POST', '/mailbox/complain', { to: 'ann@elsewhere.example' });
    expect(await complain()).toEqual(refusal(502, '550 5.7.1 forged token'));
    mailbox.returnPath = { host: '127.0.0.1', port: await freePort() };
    expect(await complain()).toEqual(refusal(502, 'ECONNREFUSED'));
    mailbox.returnPath = null;
    expect(await complain()).toMatchObject({ status: 409 });
  });

  it('tells where the return path is', async () => {
    expect(await call('GET', '/mailbox/return-path')).toEqual({
      status: 200,
      body: { host: '127.0.0.1', port: listener.smtpPort },
    });
    mailbox.returnPath = null;
    expect(await call('GET', '/mailbox/return-path')).toMatchObject({ status: 404 });
  });
});

/** The parts of a report behind its words, as a parser that we did not write splits them. */
async function parts({ raw }: MailboxMessage): Promise<{ type: string; content: string }[]> {
  const { attachments } = await simpleParser(raw, { keepDeliveryStatus: true });
  return attachments.map(({ contentType, content }) => ({
    type: contentType,
    content: content
      .toString()
      .trimEnd()
      .concat(contentType === 'message/delivery-status' ? '' : '\r\n'),
  }));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
