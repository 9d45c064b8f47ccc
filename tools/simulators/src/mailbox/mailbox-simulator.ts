import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { wireAddress } from './address-key';
import { MailboxBehaviours, type MailboxBehaviourInput } from './behaviour';
import { selfSignedCertificate, type SelfSigned } from './certificate';
import { deliverReport, type ReturnPath } from './deliver-report';
import { Inbox, type MailEnvelope, type StoredMail } from './inbox';
import { readMail, type MailboxMessage } from './mail-message';
import { writeComplaint, writeNotification, type DeliveryNotice } from './report';

const MAILS_KEPT = 20_000;
const BYTES_KEPT = 512 * 1024 * 1024;
const MAX_MAIL_BYTES = 40 * 1024 * 1024;
/** Longer than the longest delay: it is for the client to lose patience. */
const IDLE_TIMEOUT_MS = 2 * 3_600_000;

export interface MailboxSimulatorOptions {
  /** 0 takes any free port. */
  smtpPort?: number;
  /** A loopback address. */
  host?: string;
  /** Where reports go; may be told later. */
  returnPath?: ReturnPath;
}

export interface MailboxTotals {
  /** Mails that were taken, those among them that got no answer too. */
  received: number;
  refusedRecipients: number;
  refusedMails: number;
  cutMails: number;
  connections: number;
}

/** There is no mail to that address, or it wants no reports. */
export class NoSuchMailError extends Error {}

/** Nobody has said where reports go. */
export class NoReturnPathError extends Error {}

/** A mail server on loopback: takes every mail, keeps the newest, sends reports, and misbehaves when told to. */
export class MailboxSimulator {
  readonly behaviours = new MailboxBehaviours();
  returnPath: ReturnPath | null = null;
  private readonly inbox = new Inbox({ maxMails: MAILS_KEPT, maxBytes: BYTES_KEPT });
  private readonly sockets = new Set<Socket>();
  private readonly delays = new Set<NodeJS.Timeout>();
  private readonly tls: SelfSigned = selfSignedCertificate();
  private server: SMTPServer | null = null;
  private refusedRecipients = 0;
  private refusedMails = 0;
  private cutMails = 0;

  constructor(private readonly options: MailboxSimulatorOptions = {}) {
    this.returnPath = options.returnPath ?? null;
  }

  /** The port it listens on, once started. */
  get smtpPort(): number {
    const address = this.server?.server.address() as AddressInfo | null | undefined;
    if (!address) throw new Error('The mailbox simulator does not listen; start it first.');
    return address.port;
  }

  /** What it shows after STARTTLS, as PEM: for clients that verify. */
  get certificate(): string {
    return this.tls.cert;
  }

  get totals(): MailboxTotals {
    const { refusedRecipients, refusedMails, cutMails } = this;
    const { received } = this.inbox;
    return { received, refusedRecipients, refusedMails, cutMails, connections: this.sockets.size };
  }

  /** What is given here goes before what was given when it was made. */
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

  /** What arrived, newest last; `to` is compared without case. */
  messages(to?: string): Promise<MailboxMessage[]> {
    return Promise.all(this.mails(to).map(readMail));
  }

  messagesTo(to: string): Promise<MailboxMessage[]> {
    return this.messages(to);
  }

  /** The same unread, which costs next to nothing: envelope, octets, time. */
  mails(to?: string): StoredMail[] {
    return this.inbox.list(to);
  }

  mail(id: number): StoredMail | undefined {
    return this.inbox.get(id);
  }

  forgetMails(): void {
    this.inbox.clear();
  }

  /** Changes how mails are treated, for one recipient or for everybody else. */
  behave(behaviour: MailboxBehaviourInput, to?: string): void {
    this.behaviours.set(behaviour, to);
  }

  /** Cuts every connection. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Sends a delivery notification to the return path of the last mail to that address. Rejects when it is refused. */
  async notify(notice: DeliveryNotice): Promise<void> {
    const mail = this.lastMail(notice.to);
    await this.report(mail, writeNotification(mail, notice));
  }

  /** Sends an abuse report about the last mail to that address. Rejects when it is refused. */
  async complain(to: string): Promise<void> {
    const mail = this.lastMail(to);
    await this.report(mail, writeComplaint(mail, to));
  }

  private lastMail(to: string): StoredMail {
    const mail = this.inbox.list(to).at(-1);
    if (!mail) throw new NoSuchMailError(`there was no mail to ${to}`);
    if (mail.envelope.from === '') throw new NoSuchMailError(`the last mail to ${to} has no return path`);
    return mail;
  }

  private async report({ envelope }: StoredMail, raw: Buffer): Promise<void> {
    if (!this.returnPath) throw new NoReturnPathError('the simulator was not told where the return path is');
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
    // A client that goes away is no event here.
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
      // The server refuses it by itself.
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

  /** Without an answer, and without the good-bye that a close would be. */
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
