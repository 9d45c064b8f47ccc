import type { AddressInfo, Socket } from 'node:net';
import { selfSignedCertificate, type SelfSigned } from '@heliograph/secrets';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { wireAddress } from './address-key';
import { MailboxBehaviours, type MailboxBehaviourInput } from './behaviour';
import { deliverReport, type ReturnPath } from './deliver-report';
import { Inbox, type MailEnvelope, type StoredMail } from './inbox';
import { readMail, type MailboxMessage } from './mail-message';
import { writeComplaint, writeNotification, type DeliveryNotice } from './report';

const MAILS_KEPT = 20_000;
const BYTES_KEPT = 512 * 1024 * 1024;
const MAX_MAIL_BYTES = 40 * 1024 * 1024;
/** Longer than the longest delay, so that the client times out first. */
const IDLE_TIMEOUT_MS = 2 * 3_600_000;

export interface MailboxSimulatorOptions {
  /** Port 0 selects a free port. */
  smtpPort?: number;
  /** A loopback address. */
  host?: string;
  /** The destination of reports. May be set later. */
  returnPath?: ReturnPath;
}

export interface MailboxTotals {
  /** Accepted emails, including those that got no answer. */
  received: number;
  refusedRecipients: number;
  refusedMails: number;
  cutMails: number;
  connections: number;
}

/** There is no email to the address, or it has no return path. */
export class NoSuchMailError extends Error {}

/** The destination of reports is not set. */
export class NoReturnPathError extends Error {}

/** A mail server on loopback that accepts and stores emails, sends reports and can be made to misbehave. */
export class MailboxSimulator {
  readonly behaviours = new MailboxBehaviours();
  returnPath: ReturnPath | null = null;
  private readonly inbox = new Inbox({ maxMails: MAILS_KEPT, maxBytes: BYTES_KEPT });
  private readonly sockets = new Set<Socket>();
  private readonly delays = new Set<NodeJS.Timeout>();
  private readonly tls: SelfSigned = selfSignedCertificate('localhost');
  private server: SMTPServer | null = null;
  private refusedRecipients = 0;
  private refusedMails = 0;
  private cutMails = 0;

  constructor(private readonly options: MailboxSimulatorOptions = {}) {
    this.returnPath = options.returnPath ?? null;
  }

  /** The port of the started simulator. */
  get smtpPort(): number {
    const address = this.server?.server.address() as AddressInfo | null | undefined;
    if (!address) throw new Error('The mailbox simulator is not started.');
    return address.port;
  }

  /** The certificate for STARTTLS as PEM, for clients that verify it. */
  get certificate(): string {
    return this.tls.cert;
  }

  get totals(): MailboxTotals {
    const { refusedRecipients, refusedMails, cutMails } = this;
    const { received } = this.inbox;
    return { received, refusedRecipients, refusedMails, cutMails, connections: this.sockets.size };
  }

  /** These options override those of the constructor. */
  async start(options: MailboxSimulatorOptions = {}): Promise<void> {
    const { smtpPort = 0, host = '127.0.0.1', returnPath } = { ...this.options, ...options };
    if (returnPath) this.returnPath = returnPath;
    const server = this.createServer();
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(smtpPort, host, () => resolve());
    });
    this.server = server;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (!server) return;
    for (const delay of this.delays) clearTimeout(delay);
    this.delays.clear();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.disconnect();
    await closed;
  }

  /** The received emails, newest last. `to` is compared ignoring case. */
  messages(to?: string): Promise<MailboxMessage[]> {
    return Promise.all(this.mails(to).map(readMail));
  }

  messagesTo(to: string): Promise<MailboxMessage[]> {
    return this.messages(to);
  }

  /** The received emails without parsing. */
  mails(to?: string): StoredMail[] {
    return this.inbox.list(to);
  }

  mail(id: number): StoredMail | undefined {
    return this.inbox.get(id);
  }

  forgetMails(): void {
    this.inbox.clear();
  }

  /** Sets the behaviour for a recipient, or for all others. */
  behave(behaviour: MailboxBehaviourInput, to?: string): void {
    this.behaviours.set(behaviour, to);
  }

  /** Disconnects every client. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Sends a delivery notification to the return path of the last email to an address. Rejects if it is refused. */
  async notify(notice: DeliveryNotice): Promise<void> {
    const mail = this.lastMail(notice.to);
    await this.report(mail, writeNotification(mail, notice));
  }

  /** Sends an abuse report about the last email to an address. Rejects if it is refused. */
  async complain(to: string): Promise<void> {
    const mail = this.lastMail(to);
    await this.report(mail, writeComplaint(mail, to));
  }

  private lastMail(to: string): StoredMail {
    const mail = this.inbox.list(to).at(-1);
    if (!mail) throw new NoSuchMailError(`there is no email to ${to}`);
    if (mail.envelope.from === '') throw new NoSuchMailError(`the last email to ${to} has no return path`);
    return mail;
  }

  private async report({ envelope }: StoredMail, raw: Buffer): Promise<void> {
    if (!this.returnPath) throw new NoReturnPathError('the return path is not set');
    await deliverReport(this.returnPath, envelope.from, raw);
  }

  private createServer(): SMTPServer {
    const server = new SMTPServer({
      ...this.tls,
      name: 'mx.mailbox.example',
      banner: 'Heliograph mailbox simulator',
      size: MAX_MAIL_BYTES,
      rejectOversized: true,
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      hideSMTPUTF8: true,
      logger: false,
      closeTimeout: 1_000,
      socketTimeout: IDLE_TIMEOUT_MS,
      onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? 'somebody' }),
      onRcptTo: ({ address }, _session, callback) => this.answerRecipient(wireAddress(address), callback),
      onData: (stream, session, callback) => this.takeMail(stream, session, callback),
    });
    server.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    // Disconnects of clients are not errors.
    server.on('error', () => undefined);
    return server;
  }

  private answerRecipient(address: string, callback: (error?: Error | null) => void): void {
    const { at, reply, delayMs } = this.behaviours.of(address);
    if (at !== 'rcpt') return callback();
    this.after(delayMs, () => {
      if (!reply || reply.code < 400) return callback();
      this.refusedRecipients += 1;
      callback(refusal(reply));
    });
  }

  private takeMail(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: (error?: Error | null, message?: string) => void,
  ): void {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      // The library rejects it.
      if (stream.sizeExceeded) return callback();
      const envelope = envelopeOf(session);
      const behaviour = this.behaviours.atData(envelope.to);
      const delayMs = behaviour?.at === 'data' ? behaviour.delayMs : 0;
      const reply = behaviour?.at === 'data' ? behaviour.reply : undefined;
      this.after(delayMs, () => {
        if (reply && reply.code >= 400) {
          this.refusedMails += 1;
          return callback(refusal(reply));
        }
        this.inbox.add(envelope, Buffer.concat(chunks));
        if (!behaviour?.cutAfterData) return callback(null, reply?.text);
        this.cutMails += 1;
        this.cut(session);
      });
    });
  }

  /** Closes the connection without an answer. */
  private cut({ remoteAddress, remotePort }: SMTPServerSession): void {
    for (const socket of this.sockets) {
      if (socket.remotePort === remotePort && socket.remoteAddress?.endsWith(remoteAddress)) socket.destroy();
    }
  }

  private after(delayMs: number, answer: () => void): void {
    if (delayMs === 0) return answer();
    const timer = setTimeout(() => {
      this.delays.delete(timer);
      answer();
    }, delayMs);
    this.delays.add(timer);
  }
}

function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession): MailEnvelope {
  return {
    from: mailFrom ? wireAddress(mailFrom.address) : '',
    to: rcptTo.map(({ address }) => wireAddress(address)),
  };
}

function refusal({ code, text }: { code: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
