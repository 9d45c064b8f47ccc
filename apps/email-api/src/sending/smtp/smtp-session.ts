import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { piecesOf } from '../in-pieces';
import type { SmtpServer } from './smtp-server';
import { outcomeOf, type OutboundMail, type SubmitOutcome } from './submit-outcome';

/** Mails per connection; reconnecting distributes the load over servers behind a load balancer. */
const MAILS_PER_SESSION = 100;

/** One connection to the submission server, used for one mail at a time. */
export class SmtpSession {
  private submitted = 0;
  private open = true;

  private constructor(private readonly connection: SMTPConnection) {
    connection.on('end', () => {
      this.open = false;
    });
  }

  /** Connects, with TLS if configured, and authenticates. An aborted `signal` ends the attempt. */
  static async connect(server: SmtpServer, signal?: AbortSignal): Promise<SmtpSession> {
    const session = new SmtpSession(new SMTPConnection(server.connection));
    const abort = (): void => session.close();
    signal?.addEventListener('abort', abort);
    try {
      await session.begin(server.credentials);
      return session;
    } catch (error) {
      session.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  get isUsable(): boolean {
    return this.open && this.submitted < MAILS_PER_SESSION;
  }

  /**
   * Submits one mail. `beforeData` runs after the server accepted DATA and before any content is sent; if it fails, no
   * content is sent.
   */
  async submit(mail: OutboundMail, beforeData: (() => Promise<void>) | null): Promise<SubmitOutcome> {
    this.submitted++;
    const content = new MailContent(mail.raw, beforeData);
    try {
      await new Promise<void>((resolve, reject) =>
        this.connection.send(
          {
            from: mail.from,
            to: [mail.to],
            size: mail.raw.length,
            // Requests notifications of success, which delivery reports depend on, and returned mails with headers only.
            dsn: { ret: 'HDRS', notify: ['success', 'failure', 'delay'] },
          },
          content,
          (error) => (error ? reject(error) : resolve()),
        ),
      );
      return { kind: 'accepted' };
    } catch (failure) {
      const outcome = outcomeOf(failure, content.hasLeft);
      // SMTP allows no command within the content, so the connection is closed.
      if (content.hasStarted || (outcome.kind === 'deferred' && outcome.connectionEnded)) this.close();
      else await this.reset();
      return outcome;
    }
  }

  close(): void {
    this.open = false;
    this.connection.close();
  }

  private async begin(credentials: SmtpServer['credentials']): Promise<void> {
    const { connection } = this;
    await new Promise<void>((resolve, reject) => {
      // The listener remains registered: without it, an error on an idle connection would end the process.
      connection.on('error', (error) => {
        this.open = false;
        reject(error);
      });
      connection.once('end', () => reject(new Error('the connection closed before it was usable')));
      connection.connect((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    if (credentials && !connection.authenticated)
      await this.answer((callback) => connection.login({ credentials }, callback));
  }

  private async reset(): Promise<void> {
    if (!this.open) return;
    try {
      await this.answer((callback) => this.connection.reset(callback));
    } catch {
      this.close();
    }
  }

  /** Runs a command. The library does not call back if the connection ends before the response. */
  private answer(command: (callback: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const onEnd = (): void => reject(new Error('the connection closed before the response of the server'));
      this.connection.once('end', onEnd);
      command((error) => {
        this.connection.off('end', onEnd);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

/** The content of a mail; it is read only after the server accepted DATA. */
class MailContent extends Readable {
  hasStarted = false;
  hasLeft = false;

  constructor(
    private readonly raw: Buffer,
    private readonly beforeData: (() => Promise<void>) | null,
  ) {
    super();
  }

  override _read(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    void this.begin();
  }

  private async begin(): Promise<void> {
    try {
      await this.beforeData?.();
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (this.destroyed) return;
    this.hasLeft = true;
    for await (const piece of piecesOf(this.raw)) {
      if (this.destroyed) return;
      this.push(piece);
    }
    this.push(null);
  }
}
