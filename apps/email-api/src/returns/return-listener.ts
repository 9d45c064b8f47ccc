import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream } from 'smtp-server';

export interface ReturnListenerOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  /** What the server calls itself. */
  name: string;
  /** Of one mail. */
  maxBytes: number;
  /** Connections at once. */
  maxClients: number;
  /** Of one mail. */
  maxRecipients: number;
  /** How long a client may be silent. */
  idleTimeoutMs: number;
  /** How long a connection may last, however busy it is: nobody holds one by sending an octet now and then. */
  connectionMs: number;
}

/** What takes the mails in. */
export interface ReturnIntake {
  accepts(recipient: string): boolean;
  /** Resolves when the mail may be forgotten; rejects when it has to come again. */
  take(raw: Buffer, recipients: string[]): Promise<void>;
}

/** Past the 512 octets of RFC 5321, 4.5.3.1, because extensions lengthen commands. */
const MAX_COMMAND_LENGTH = 2_048;
/** What is under way may finish for so long when the listener closes. */
const CLOSE_GRACE_MS = 5_000;

/** An answer of the server; the text begins with an enhanced status code. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

const NO_MAILBOX = new Refusal(550, '5.1.1 There is no such mailbox here');
const TOO_LARGE = new Refusal(552, '5.3.4 The mail is too large; a notification needs no attachments');
/** Nobody is there to hear it. */
const BROKEN_OFF = new Refusal(451, '4.4.2 The connection broke off');
const COME_AGAIN = new Refusal(451, '4.3.0 Cannot be taken just now; please try again later');

/**
 * A mail server for what comes back. It knows the mailboxes that were made here and no others, relays nothing, and
 * answers that it has a mail only after the intake has. Content ends with CRLF.CRLF alone: a dot between bare line
 * feeds is content, so nothing can be smuggled behind it (the smtp-server package sees to that, and a test to it).
 */
export class ReturnListener {
  private readonly server: SMTPServer;
  private readonly sockets = new Set<Socket>();
  /** Mails that have no answer yet. */
  private readonly underWay = new Set<Promise<void>>();

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
      // Certificates are a matter of whatever stands before it; the package's own one is known to everybody.
      disabledCommands: ['AUTH', 'STARTTLS', 'VRFY', 'EXPN', 'HELP', 'WIZ', 'SHELL', 'LHLO'],
      disableReverseLookup: true,
      logger: false,
      onRcptTo: ({ address }, _session, answer) => answer(intake.accepts(address) ? null : NO_MAILBOX),
      onData: (stream, { envelope }, answer) => {
        const answered = this.receive(stream, envelope.rcptTo).then(
          () => answer(null, '2.0.0 Taken'),
          (error: unknown) => {
            if (!(error instanceof Refusal)) onError(error instanceof Error ? error : new Error(String(error)));
            answer(error instanceof Refusal ? error : COME_AGAIN);
          },
        );
        this.underWay.add(answered);
        void answered.finally(() => this.underWay.delete(answered));
      },
    });
    // Resets and time-outs of clients: nothing that anybody could do something about.
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => this.keepAnEyeOn(socket));
  }

  /** Resolves with the port. Rejects when it cannot be listened on. */
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

  /** Takes no more mails. Those under way get their answer, unless that takes longer than the grace period. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_GRACE_MS)));
    await Promise.race([Promise.all(this.underWay), grace]);
    clearTimeout(timer);
    for (const socket of this.sockets) socket.destroySoon();
    await closed;
  }

  private async receive(stream: SMTPServerDataStream, recipients: SMTPServerAddress[]): Promise<void> {
    const raw = await readAll(stream);
    await this.intake.take(
      raw,
      recipients.map(({ address }) => address),
    );
  }

  private keepAnEyeOn(socket: Socket): void {
    this.sockets.add(socket);
    const end = setTimeout(() => socket.destroy(), this.options.connectionMs);
    end.unref();
    socket.once('close', () => {
      clearTimeout(end);
      this.sockets.delete(socket);
    });
  }
}

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  let chunks: Buffer[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      // The rest of what is too large is read past, so that the client hears why.
      if (stream.sizeExceeded) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    throw BROKEN_OFF;
  }
  if (stream.sizeExceeded) throw TOO_LARGE;
  return Buffer.concat(chunks);
}
