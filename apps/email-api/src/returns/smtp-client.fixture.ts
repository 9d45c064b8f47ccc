import { connect, type Socket } from 'node:net';
import { until } from '@heliograph/testing';

/** A client that says exactly what it is told to, octet for octet. */
export class RawSmtpClient {
  /** Everything that was said and not taken as an answer yet. */
  unread = '';
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay();
    socket.on('data', (chunk: Buffer) => (this.unread += chunk.toString('latin1')));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  /** Answers once the server has greeted, or has hung up. */
  static async connect(port: number): Promise<RawSmtpClient> {
    const client = new RawSmtpClient(connect(port, '127.0.0.1'));
    await client.answer();
    return client;
  }

  write(octets: string | Buffer): void {
    this.socket.write(octets);
  }

  /** The next answer, all of its lines; '' when the connection ends instead. */
  async answer(): Promise<string> {
    return until('the server answers', () => this.takeAnswer() ?? (this.isClosed ? '' : null), { everyMs: 1 });
  }

  async command(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    return this.answer();
  }

  /** Up to the point where the content may follow. */
  async beginMail(...recipients: string[]): Promise<string> {
    await this.command('MAIL FROM:<>');
    for (const recipient of recipients) await this.command(`RCPT TO:<${recipient}>`);
    return this.command('DATA');
  }

  /** A whole mail, with its dots doubled as they must be. */
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

  private takeAnswer(): string | null {
    const [answer] = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.unread) ?? [];
    if (answer === undefined) return null;
    this.unread = this.unread.slice(answer.length);
    return answer.trimEnd();
  }
}
