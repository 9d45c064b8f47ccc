import { createServer, type AddressInfo, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { SmtpSession } from './smtp-session';
import type { SmtpServer } from './smtp-server';

const MAIL = { from: 'a@example.com', to: 'b@example.com', raw: Buffer.from('Subject: Hi\r\n\r\nHi\r\n.\r\n..\r\n') };

describe('an SMTP session with the submission server', () => {
  let server: SMTPServer;
  const taken: { user: unknown; secure: boolean; content: string }[] = [];
  const start = async (options: SMTPServerOptions = {}): Promise<number> => {
    server = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, callback) =>
        callback(username === 'acme@x' && password === 'p@ss' ? null : new Error('no'), { user: username ?? '' }),
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          taken.push({ user: session.user, secure: session.secure, content: Buffer.concat(chunks).toString() });
          callback(null);
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return (server.server.address() as AddressInfo).port;
  };
  const config = (port: number, changes: Partial<SmtpServer> = {}): SmtpServer => ({
    connection: { host: '127.0.0.1', port, requireTLS: true, tls: { rejectUnauthorized: false }, socketTimeout: 2_000 },
    credentials: { user: 'acme@x', pass: 'p@ss' },
    ...changes,
  });
  afterEach(async () => {
    taken.length = 0;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('uses STARTTLS and a login, and submits several mails with correct dot stuffing', async () => {
    const session = await SmtpSession.connect(config(await start()));
    for (let i = 0; i < 3; i++) expect(await session.submit(MAIL, null)).toEqual({ kind: 'accepted' });
    expect(taken).toEqual(
      Array.from({ length: 3 }, () => ({ user: 'acme@x', secure: true, content: MAIL.raw.toString() })),
    );
    session.close();
  });

  it('is not opened if TLS is required but not offered', async () => {
    const port = await start({ disabledCommands: ['STARTTLS'] });
    await expect(SmtpSession.connect(config(port))).rejects.toThrow();
  });

  it('is not opened with an untrusted certificate', async () => {
    const { connection, credentials } = config(await start());
    await expect(SmtpSession.connect({ connection: { ...connection, tls: {} }, credentials })).rejects.toThrow();
  });

  it('is not opened with a wrong password', async () => {
    const port = await start();
    await expect(SmtpSession.connect(config(port, { credentials: { user: 'acme@x', pass: 'x' } }))).rejects.toThrow();
  });

  it('sends the content only after the callback resolves, and not if it fails', async () => {
    const session = await SmtpSession.connect(config(await start()));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const submitted = session.submit(MAIL, () => released);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toHaveLength(0);
    release();
    expect(await submitted).toEqual({ kind: 'accepted' });
    const failed = await session.submit(MAIL, () => Promise.reject(new Error('the database is unavailable')));
    expect(failed).toMatchObject({ kind: 'deferred' });
    expect(taken).toHaveLength(1);
    expect(session.isUsable).toBe(false);
  });

  it('continues after a rejected recipient', async () => {
    const port = await start({
      onRcptTo: ({ address }, _session, callback) =>
        address.startsWith('dead')
          ? callback(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }))
          : callback(),
    });
    const session = await SmtpSession.connect(config(port));
    expect(await session.submit({ ...MAIL, to: 'dead@example.com' }, null)).toMatchObject({
      kind: 'refused',
      suppresses: true,
    });
    expect(await session.submit(MAIL, null)).toEqual({ kind: 'accepted' });
    session.close();
  });
});

describe('an SMTP session whose connection ends before a response', () => {
  let server: Server;
  afterEach(() => server.close());

  /** Responds to each command by its verb; a command without a response closes the connection. */
  const scripted = async (answers: Record<string, string>): Promise<SmtpServer> => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 hello\r\n');
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').filter(Boolean)) {
          const answer = answers[line.split(/[ :]/)[0] ?? ''];
          if (answer === undefined) return socket.destroy();
          socket.write(`${answer}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    return { connection: { host: '127.0.0.1', port, ignoreTLS: true, socketTimeout: 60_000 }, credentials: null };
  };
  const upToRecipient = { EHLO: '250 me', MAIL: '250 ok', RCPT: '451 4.7.1 later' };

  it('returns the known outcome of the mail and is not reused', async () => {
    const session = await SmtpSession.connect(await scripted(upToRecipient));
    expect(await session.submit(MAIL, null)).toMatchObject({ kind: 'deferred', reason: '451 4.7.1 later' });
    expect(session.isUsable).toBe(false);
  });

  it('is not opened if the connection ends during the login', async () => {
    const config = await scripted({ EHLO: '250-me\r\n250 AUTH PLAIN' });
    await expect(SmtpSession.connect({ ...config, credentials: { user: 'acme', pass: 'secret' } })).rejects.toThrow();
  });
});
