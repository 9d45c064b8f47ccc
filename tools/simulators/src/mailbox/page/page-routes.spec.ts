import { createHash } from 'node:crypto';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { ControlApi } from '../../control-api';
import { createControlApi } from '../../create-control-api';
import { MailboxSimulator } from '../mailbox-simulator';

let mailbox: MailboxSimulator;
let api: ControlApi;
let origin: string;
let transport: Transporter;

beforeEach(async () => {
  mailbox = new MailboxSimulator();
  await mailbox.start();
  api = createControlApi({ mailbox });
  origin = `http://127.0.0.1:${await api.start()}`;
  transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ignoreTLS: true, pool: true });
});

afterEach(async () => {
  transport.close();
  await api.stop();
  await mailbox.stop();
});

const mail = { from: 'Acme <hello@acme.example>', to: 'ann@elsewhere.example', subject: 'Hi' };
const send = (changes: SendMailOptions): Promise<unknown> => transport.sendMail({ ...mail, ...changes });
const get = (path: string) => fetch(`${origin}/mailbox${path}`);
const inbox = async (query = '') => (await (await get(`/inbox${query}`)).json()) as { mails: unknown[]; total: number };
const policyOf = (response: Response): string => response.headers.get('content-security-policy') ?? '';

describe('the mailbox page', () => {
  it('allows only its own script and no external resources', async () => {
    const response = await get('');
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
    expect(() => new Function(script)).not.toThrow();
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policyOf(response)).toContain(`default-src 'none'; script-src 'sha256-${hash}';`);
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page).not.toMatch(/\son\w+=|innerHTML|insertAdjacentHTML|document\.write/);
  });

  it('lists the newest emails first', async () => {
    await send({ subject: 'Grüße', text: 'one\n\n two', attachments: [{ filename: 'a', content: 'b' }] });
    await send({
      from: 'bare@acme.example',
      html: '<style>p{}</style><p>Dear <a href="https://x.example">Ann</a></p>',
    });
    expect(await inbox()).toEqual({
      mails: [
        expect.objectContaining({ id: 2, from: 'bare@acme.example', preview: 'Dear Ann', attachments: 0 }),
        {
          id: 1,
          from: 'Acme <hello@acme.example>',
          to: ['ann@elsewhere.example'],
          subject: 'Grüße',
          preview: 'one two',
          attachments: 1,
          at: expect.any(String),
        },
      ],
      total: 2,
      received: 2,
    });
    expect(await inbox('?limit=1')).toMatchObject({ mails: [{ id: 2 }], total: 2 });
  });

  it.each([
    ['a sender', 'ACME'],
    ['a recipient', 'ann@'],
    ['a decoded subject', 'grüß'],
  ])('finds emails by %s', async (_what, search) => {
    await send({ subject: 'Grüße', text: 'x' });
    await send({ from: 'other@x.example', to: 'ben@x.example', text: 'Grüße an acme und ann@' });
    expect(await inbox(`?search=${encodeURIComponent(search)}`)).toMatchObject({ mails: [{ id: 1 }], total: 1 });
  });

  it('serves the HTML of an email in a sandbox, with external images only on request', async () => {
    const picture = { cid: 'logo@acme', filename: 'logo.gif', content: Buffer.from('GIF89a') };
    await send({ html: '<script>x()</script><img src="cid:logo@acme">', attachments: [picture] });
    const response = await get('/inbox/1/html');
    const policy = policyOf(response);
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    expect(policy).toContain('img-src data:;');
    expect(policy).not.toContain('script');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain('<img src="data:image/gif;base64,R0lGODlh">');
    expect(policyOf(await get('/inbox/1/html?images=1'))).toContain('img-src data: http: https:;');
  });

  it('serves attachments as downloads with a neutral type', async () => {
    const content = '<script>alert(1)</script>';
    await send({ attachments: [{ filename: '../ü"x".html', content, contentType: 'text/html' }] });
    const response = await get('/inbox/1/attachments/0');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''.._%C3%BC%22x%22.html`);
    expect(policyOf(response)).toContain('sandbox');
    expect(await response.text()).toBe(content);
  });

  it.each(['/inbox/2', '/inbox/1/attachments/0'])('returns 404 for %s', async (path) => {
    await send({ text: 'Hello' });
    expect((await get(path)).status).toBe(404);
  });

  it('accepts malformed emails', async () => {
    const raws = [
      '',
      '\r\n\r\n',
      'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'.repeat(50),
      '\0\0: \xff\r\n',
    ];
    for (const raw of raws) {
      await transport.sendMail({
        envelope: { from: 'a@x.example', to: 'b@x.example' },
        raw: Buffer.from(raw, 'latin1'),
      });
    }
    expect((await inbox()).mails).toHaveLength(raws.length);
    expect(await mailbox.messages()).toHaveLength(raws.length);
  });
});
