import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { until } from '@heliograph/testing';

/** An SMTP client that sends exact octets. */
export class RawSmtpClient {
  /** Received data that has not been consumed as a response. */
  unread = '';
  isClosed = false;

  private constructor(private socket: Socket) {
    socket.setNoDelay();
    this.listen(socket);
  }

  /** Resolves after the greeting or the end of the connection. */
  static async connect(port: number): Promise<RawSmtpClient> {
    const client = new RawSmtpClient(connect(port, '127.0.0.1'));
    await client.answer();
    return client;
  }

  /**
   * Encrypts the connection; `injected` is sent unencrypted in the packet of the command. Returns the subject of the
   * certificate.
   */
  async startTls(injected = ''): Promise<string> {
    this.write(`STARTTLS\r\n${injected}`);
    await this.answer();
    this.unread = '';
    const raw = this.socket;
    raw.removeAllListeners('data');
    const encrypted = connectTls({ socket: raw, rejectUnauthorized: false });
    this.socket = encrypted;
    this.listen(encrypted);
    await once(encrypted, 'secureConnect');
    return JSON.stringify(encrypted.getPeerCertificate().subject);
  }

  write(octets: string | Buffer): void {
    this.socket.write(octets);
  }

  /** Returns the next response with all lines; '' if the connection ends. */
  async answer(): Promise<string> {
    return until('the server responds', () => this.consumeAnswer() ?? (this.isClosed ? '' : null), { everyMs: 1 });
  }

  async command(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    return this.answer();
  }

  /** Sends the commands up to DATA. */
  async beginMail(...recipients: string[]): Promise<string> {
    await this.command('MAIL FROM:<>');
    for (const recipient of recipients) await this.command(`RCPT TO:<${recipient}>`);
    return this.command('DATA');
  }

  /** Sends a complete mail with dot stuffing. */
  async send(raw: Buffer, ...recipients: string[]): Promise<string> {
    const begun = await this.beginMail(...recipients);
    if (!begun.startsWith('354')) return begun;
    const text = raw.toString('latin1').replaceAll(/^\./gm, '..');
    this.write(Buffer.from(`${text.endsWith('\r\n') ? text : `${text}\r\n`}.\r\n`, 'latin1'));
    return this.answer();
  }

  end(): void {
    this.socket.destroy();
  }

  private listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => (this.unread += chunk.toString('latin1')));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  private consumeAnswer(): string | null {
    const [answer] = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.unread) ?? [];
    if (answer === undefined) return null;
    this.unread = this.unread.slice(answer.length);
    return answer.trimEnd();
  }
}
