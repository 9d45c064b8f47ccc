import { simpleParser } from 'mailparser';
import { createTransport, type SendMailOptions } from 'nodemailer';
import request from 'supertest';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import type { MailboxMessage } from './mail-message';
import { MailboxSimulator } from './mailbox-simulator';

let mailbox: MailboxSimulator;
/** A second mail server that acts as the return path. */
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

async function call(
  method: 'get' | 'post' | 'delete',
  path: string,
  content?: object,
): Promise<{ status: number; body: unknown }> {
  const { status, body } = await request(origin)[method](path).send(content);
  return { status, body: body as unknown };
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
const refusal = (status: number, text: string) => ({ status, body: { error: expect.stringContaining(text) } });

describe('the control API of the mail server', () => {
  it('lists and deletes emails', async () => {
    await send();
    const all = await call('get', '/mailbox/messages');
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
    expect(await call('get', '/mailbox/messages?to=Ann%40ELSEWHERE.example')).toEqual(all);
    expect(await call('get', '/mailbox/messages?to=ben@elsewhere.example')).toMatchObject({ body: { messages: [] } });
    expect(await call('delete', '/mailbox/messages')).toEqual(OK);
    expect(await call('get', '/mailbox/messages')).toMatchObject({ body: { messages: [] } });
  });

  it.each([
    ['failed', '5.1.1', '550 5.1.1'],
    ['delayed', '4.4.1', '451 4.4.1'],
    ['delivered', '2.0.0', '250 2.0.0'],
  ])('sends a notification of the action %s to the return path', async (action, status, diagnostic) => {
    await send({ envelope: { from: 'token.0@return.example', to: 'ann@elsewhere.example' } });
    await send();
    expect(await call('post', '/mailbox/notify', { to: 'ANN@elsewhere.example', action, status })).toEqual(OK);
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

  it('sends an abuse report that contains the email', async () => {
    await send();
    expect(await call('post', '/mailbox/complain', { to: 'ann@elsewhere.example' })).toEqual(OK);
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

  it('returns 404 without an email or its return path', async () => {
    const notice = { to: 'ann@elsewhere.example', action: 'failed', status: '5.1.1' };
    expect(await call('post', '/mailbox/notify', notice)).toEqual(refusal(404, 'no email to ann@elsewhere.example'));
    expect(await call('post', '/mailbox/complain', { to: 'ann@elsewhere.example' })).toEqual(refusal(404, 'no email'));
    await send({ envelope: { from: '', to: 'ann@elsewhere.example' } });
    expect(await call('post', '/mailbox/notify', notice)).toEqual(refusal(404, 'no return path'));
    expect(await listener.messages()).toEqual([]);
  });

  it('returns the error of the listener', async () => {
    await send();
    listener.behave({ reply: { code: 550, text: '5.7.1 forged token' } });
    const complain = () => call('post', '/mailbox/complain', { to: 'ann@elsewhere.example' });
    expect(await complain()).toEqual(refusal(502, '550 5.7.1 forged token'));
    mailbox.returnPath = { host: '127.0.0.1', port: 1 };
    expect(await complain()).toEqual(refusal(502, 'ECONNREFUSED'));
    mailbox.returnPath = null;
    expect(await complain()).toMatchObject({ status: 409 });
  });

  it('returns the return path', async () => {
    expect(await call('get', '/mailbox/return-path')).toEqual({
      status: 200,
      body: { host: '127.0.0.1', port: listener.smtpPort },
    });
    mailbox.returnPath = null;
    expect(await call('get', '/mailbox/return-path')).toMatchObject({ status: 404 });
  });
});

/** The parts of a report after its text, as an independent parser splits them. */
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
