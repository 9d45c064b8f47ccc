import { selfSignedCertificate } from '@heliograph/secrets';
import { until } from '@heliograph/testing';
import { ReturnListener, type ReturnIntake, type ReturnListenerOptions } from './return-listener';
import { RawSmtpClient } from './smtp-client.fixture';

const MAX_BYTES = 10_000;
const KNOWN = 'known@returns.example';

class Intake implements ReturnIntake {
  readonly mails: { raw: string; recipients: string[] }[] = [];
  failure: Error | null = null;

  isKnownRecipient(recipient: string): boolean {
    return recipient.startsWith('known');
  }

  async receive(raw: Buffer, recipients: string[]): Promise<void> {
    if (this.failure) throw this.failure;
    this.mails.push({ raw: raw.toString('latin1'), recipients });
  }
}

let listener: ReturnListener;
let intake: Intake;
let port: number;
const errors: Error[] = [];
const clients: RawSmtpClient[] = [];

async function start(changes: Partial<ReturnListenerOptions> = {}): Promise<void> {
  intake = new Intake();
  const options = {
    host: '127.0.0.1',
    port: 0,
    name: 'returns.example',
    tls: selfSignedCertificate('returns.example'),
    maxBytes: MAX_BYTES,
    maxClients: 5,
    maxRecipients: 3,
    idleTimeoutMs: 5_000,
    connectionMs: 20_000,
    ...changes,
  };
  listener = new ReturnListener(options, intake, (error) => errors.push(error));
  port = await listener.listen();
}

async function greet(): Promise<RawSmtpClient> {
  const client = await RawSmtpClient.connect(port);
  clients.push(client);
  await client.command('EHLO mx.acme.example');
  return client;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  errors.length = 0;
  await listener.close();
});

describe('the return listener', () => {
  it('announces its name and size limit, and rejects unsupported commands', async () => {
    await start();
    const client = await RawSmtpClient.connect(port);
    clients.push(client);
    const offer = await client.command('EHLO mx.acme.example');
    expect(offer).toContain('returns.example');
    expect(offer).toContain(`SIZE ${MAX_BYTES}`);
    expect(offer).toContain('STARTTLS');
    expect(offer).not.toMatch(/AUTH|CHUNKING/);
    for (const command of ['AUTH PLAIN AAA=', 'VRFY known', 'EXPN all', 'WIZ x', 'SHELL', 'BDAT 5 LAST']) {
      expect(await client.command(command)).toMatch(/^50\d /);
    }
  });

  it('accepts an unchanged mail for known recipients', async () => {
    await start();
    const client = await greet();
    expect(await client.send(Buffer.from('A: b\r\n\r\n.dot\r\n..dots\r\n'), KNOWN, 'KNOWN2@x')).toMatch(/^250 2\.0\.0/);
    expect(intake.mails).toEqual([{ raw: 'A: b\r\n\r\n.dot\r\n..dots\r\n', recipients: [KNOWN] }]);
  });

  it('encrypts after STARTTLS, with its certificate', async () => {
    await start();
    const client = await greet();
    const certificate = await client.startTls();
    expect(certificate).toContain('returns.example');
    expect(await client.command('EHLO mx.acme.example')).not.toContain('STARTTLS');
    expect(await client.send(Buffer.from('A: b\r\n\r\n'), KNOWN)).toMatch(/^250 /);
    expect(intake.mails).toHaveLength(1);
  });

  it('discards commands that were sent unencrypted together with STARTTLS', async () => {
    await start();
    const client = await greet();
    await client.startTls('MAIL FROM:<>\r\nRCPT TO:<known@x>\r\n');
    await client.command('EHLO mx.acme.example');
    expect(await client.command('DATA')).toMatch(/^503 /);
  });

  it('keeps the ends of a large mail only', async () => {
    await start({ maxBytes: 31_457_280 });
    const client = await greet();
    const original = `${'x'.repeat(98)}\r\n`.repeat(200_000);
    expect(await client.send(Buffer.from(`Head: 1\r\n\r\n${original}tail\r\n`), KNOWN)).toMatch(/^250 /);
    const [mail] = intake.mails;
    expect(mail?.raw).toMatch(/^Head: 1\r\n[^]*tail\r\n$/);
    expect(mail?.raw.length).toBeLessThan(1_400_000);
  });

  it('rejects unknown recipients before the content is sent', async () => {
    await start();
    const client = await greet();
    await client.command('MAIL FROM:<>');
    for (const recipient of ['stranger@returns.example', 'postmaster@returns.example', 'x']) {
      expect(await client.command(`RCPT TO:<${recipient}>`)).toMatch(/^5[05]\d /);
    }
    expect(await client.command('RCPT TO:<stranger@returns.example>')).toMatch(/^550 5\.1\.1 /);
    expect(await client.command('DATA')).toMatch(/^503 /);
    expect(intake.mails).toEqual([]);
  });

  it('returns 451 if the mail cannot be stored, so that the client retries', async () => {
    await start();
    intake.failure = new Error('the database is unavailable');
    const client = await greet();
    expect(await client.send(Buffer.from('A: b\r\n\r\n'), KNOWN)).toMatch(/^451 4\.3\.0 /);
    expect(errors).toEqual([intake.failure]);
    intake.failure = null;
    expect(await client.send(Buffer.from('A: b\r\n\r\n'), KNOWN)).toMatch(/^250 /);
  });

  it('rejects a mail that is too large, with and without a declared size, and continues the session', async () => {
    await start();
    const client = await greet();
    expect(await client.command(`MAIL FROM:<> SIZE=${MAX_BYTES + 1}`)).toMatch(/^552 /);
    expect(await client.send(Buffer.from(`${'x'.repeat(98)}\r\n`.repeat(MAX_BYTES)), KNOWN)).toMatch(/^552 5\.3\.4 /);
    expect(intake.mails).toEqual([]);
    expect(await client.send(Buffer.from('A: b\r\n\r\n'), KNOWN)).toMatch(/^250 /);
  });

  it('limits the number of recipients of a mail', async () => {
    await start();
    const client = await greet();
    await client.command('MAIL FROM:<>');
    const answers: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) answers.push(await client.command(`RCPT TO:<known-${name}@x.example>`));
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '250', '452']);
  });

  it('limits the number of connections', async () => {
    await start();
    for (let count = 0; count < 5; count++) await greet();
    const late = await RawSmtpClient.connect(port);
    await until('the client is rejected', () => late.isClosed);
    clients.pop()?.end();
    await until('a new connection is accepted', async () => {
      const client = await RawSmtpClient.connect(port);
      clients.push(client);
      return (await client.command('EHLO x')).startsWith('250');
    });
  });

  it('closes idle connections and connections that exceed the maximum duration', async () => {
    await start({ idleTimeoutMs: 500, connectionMs: 2_000 });
    const silent = await greet();
    expect(await silent.answer()).toMatch(/^421 /);
    const busy = await greet();
    const drip = setInterval(() => busy.write('N'), 50);
    await until('the connection is closed', () => busy.isClosed);
    clearInterval(drip);
  });

  it('closes a connection whose command line is too long', async () => {
    await start();
    const client = await greet();
    client.write('MAIL FROM:<'.padEnd(1_000_000, 'x'));
    await until('the connection is closed', () => client.isClosed);
    expect(intake.mails).toEqual([]);
  });

  it('discards an incomplete mail when the client disconnects', async () => {
    await start();
    const client = await greet();
    await client.beginMail(KNOWN);
    client.write('A: b\r\n\r\nhalf');
    client.end();
    const next = await greet();
    expect(await next.send(Buffer.from('A: whole\r\n\r\n'), KNOWN)).toMatch(/^250 /);
    expect(intake.mails.map(({ raw }) => raw)).toEqual(['A: whole\r\n\r\n']);
    expect(errors).toEqual([]);
  });
});

describe('content with a smuggled SMTP transaction', () => {
  const SMUGGLED = 'MAIL FROM:<>\r\nRCPT TO:<known-smuggled@x>\r\nDATA\r\nSmuggled: yes\r\n\r\n';

  it.each([['\n.\n'], ['\n.\r\n'], ['\r\n.\n'], ['\r.\r'], ['\r\n.\r'], ['\r.\r\n'], ['\r\n\0.\r\n'], ['\n\n.\r\n']])(
    'after %j remains one mail',
    async (ending) => {
      await start();
      const client = await greet();
      await client.beginMail(KNOWN);
      client.write(`A: b\r\n\r\nwords${ending}${SMUGGLED}\r\n.\r\n`);
      expect(await client.answer()).toMatch(/^250 /);
      expect(await client.command('NOOP')).toMatch(/^250 /);
      expect(intake.mails).toHaveLength(1);
      expect(intake.mails[0]).toMatchObject({ recipients: [KNOWN], raw: expect.stringContaining('Smuggled: yes') });
      expect(client.unread).toBe('');
    },
  );

  it('remains one mail when it arrives in single bytes', async () => {
    await start();
    const client = await greet();
    await client.beginMail(KNOWN);
    for (const octet of `..\r\n.\n${SMUGGLED}\n.\r\n\r\n.`) {
      client.write(octet);
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.write('\r\n');
    expect(await client.answer()).toMatch(/^250 /);
    expect(intake.mails).toEqual([{ raw: expect.stringContaining('Smuggled: yes'), recipients: [KNOWN] }]);
    expect(client.unread).toBe('');
  });
});

describe('a return listener that is closed', () => {
  it('completes the mail that it is receiving', async () => {
    await start();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    intake.receive = () => held;
    const client = await greet();
    await client.beginMail(KNOWN);
    client.write('A: b\r\n\r\n.\r\n');
    const closed = listener.close();
    await expect(RawSmtpClient.connect(port).then((late) => late.command('EHLO x'))).resolves.toBe('');
    release();
    expect(await client.answer()).toMatch(/^250 /);
    await closed;
  });

  it('closes idle connections without waiting for the grace period', async () => {
    await start();
    const client = await greet();
    const startedAt = Date.now();
    await listener.close();
    // The grace period is five seconds.
    expect(Date.now() - startedAt).toBeLessThan(4_500);
    await until('the connection is closed', () => client.isClosed);
  });
});
