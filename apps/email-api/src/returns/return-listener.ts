import type { AddressInfo, Socket } from 'node:net';
import { MailEnds } from './mail-ends';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream } from 'smtp-server';

export interface ReturnListenerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Host name in the greeting. */
  name: string;
  /** Key and certificate of STARTTLS, as PEM. */
  tls: { key: string; cert: string };
  /** Maximum size of a mail. Only its ends are kept in memory, see `MailEnds`. */
  maxBytes: number;
  /** Maximum concurrent connections. */
  maxClients: number;
  /** Maximum number of recipients of a mail. */
  maxRecipients: number;
  /** Idle timeout of a connection. */
  idleTimeoutMs: number;
  /** Maximum duration of a connection, so that a slow client cannot occupy it indefinitely. */
  connectionMs: number;
}

/** Receives the mails of the listener. The middle of a large mail is missing. */
export interface ReturnIntake {
  isKnownRecipient(recipient: string): boolean;
  /** Resolves after the mail is stored or ignored; rejects if the client must retry. */
  receive(raw: Buffer, recipients: string[]): Promise<void>;
}

/** Above the 512 octets of RFC 5321, 4.5.3.1, because extensions allow longer commands. */
const MAX_COMMAND_LENGTH = 2_048;
/** Maximum time for mails in progress when the listener closes. */
const CLOSE_GRACE_MS = 5_000;

/** An SMTP error response; the text starts with an enhanced status code. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

const NO_MAILBOX = new Refusal(550, '5.1.1 Mailbox does not exist');
const TOO_LARGE = new Refusal(552, '5.3.4 Message too large');
/** The client does not receive this response, because its connection is closed. */
const CONNECTION_LOST = new Refusal(451, '4.4.2 Connection lost');
const TEMPORARY_FAILURE = new Refusal(451, '4.3.0 Temporary failure; please retry later');

/**
 * An SMTP server for returned mail. It accepts only recipients that this service created, does not relay, and
 * acknowledges a mail only after the intake has stored it. Content ends only with CRLF.CRLF: a dot between bare line
 * feeds is content, which prevents SMTP smuggling (implemented by the smtp-server package and covered by a test).
 */
export class ReturnListener {
  private readonly server: SMTPServer;
  private readonly sockets = new Set<Socket>();
  /** Mails without a response yet. */
  private readonly inProgress = new Set<Promise<void>>();

  constructor(
    private readonly options: ReturnListenerOptions,
    private readonly intake: ReturnIntake,
    onError: (error: Error) => void,
  ) {
    this.server = new SMTPServer({
      name: options.name,
      size: options.maxBytes,
      maxClients: options.maxClients,
      maxRecipients: options.maxRecipients,
      maxCommandLength: MAX_COMMAND_LENGTH,
      socketTimeout: options.idleTimeoutMs,
      closeTimeout: CLOSE_GRACE_MS,
      ...options.tls,
      disabledCommands: ['AUTH', 'VRFY', 'EXPN', 'HELP', 'WIZ', 'SHELL', 'LHLO'],
      disableReverseLookup: true,
      logger: false,
      onRcptTo: ({ address }, _session, answer) => answer(intake.isKnownRecipient(address) ? null : NO_MAILBOX),
      onData: (stream, { envelope }, answer) => {
        const answered = this.receive(stream, envelope.rcptTo).then(
          () => answer(null, '2.0.0 Accepted'),
          (error: unknown) => {
            if (!(error instanceof Refusal)) onError(error instanceof Error ? error : new Error(String(error)));
            answer(error instanceof Refusal ? error : TEMPORARY_FAILURE);
          },
        );
        this.inProgress.add(answered);
        void answered.finally(() => this.inProgress.delete(answered));
      },
    });
    // Connection errors of clients need no action.
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => this.trackConnection(socket));
  }

  /** Resolves with the port. Rejects if the port is not available. */
  async listen(): Promise<number> {
    const { host, port } = this.options;
    const { server } = this.server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      this.server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    return (server.address() as AddressInfo).port;
  }

  /** Stops accepting mails and waits for mails in progress up to the grace period. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_GRACE_MS)));
    await Promise.race([Promise.all(this.inProgress), grace]);
    clearTimeout(timer);
    for (const socket of this.sockets) socket.destroySoon();
    await closed;
  }

  private async receive(stream: SMTPServerDataStream, recipients: SMTPServerAddress[]): Promise<void> {
    const raw = await readEnds(stream);
    await this.intake.receive(
      raw,
      recipients.map(({ address }) => address),
    );
  }

  private trackConnection(socket: Socket): void {
    this.sockets.add(socket);
    const end = setTimeout(() => socket.destroy(), this.options.connectionMs);
    end.unref();
    socket.once('close', () => {
      clearTimeout(end);
      this.sockets.delete(socket);
    });
  }
}

/** Reads the ends of a mail. */
async function readEnds(stream: SMTPServerDataStream): Promise<Buffer> {
  const ends = new MailEnds();
  try {
    // The rest of an oversized mail is discarded, so that the client receives the error response.
    for await (const chunk of stream as AsyncIterable<Buffer>) if (!stream.sizeExceeded) ends.add(chunk);
  } catch {
    throw CONNECTION_LOST;
  }
  if (stream.sizeExceeded) throw TOO_LARGE;
  return ends.joined();
}
