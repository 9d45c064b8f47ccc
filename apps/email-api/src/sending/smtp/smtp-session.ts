import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from './smtp-settings';
import { outcomeOf, type OutboundMail, type SubmitOutcome } from './submit-outcome';

/** After so many mails a connection is made anew: servers behind a balancer get their share. */
const MAILS_PER_SESSION = 100;

/** One connection to the submission server, for one mail after the other. */
export class SmtpSession {
  private submitted = 0;
  private open = true;

  private constructor(private readonly connection: SMTPConnection) {
    connection.on('end', () => {
      this.open = false;
    });
  }

  /** Connected, over TLS where that is asked for, and logged in. */
  static async connect({ connection: options, credentials }: SmtpServer): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    const session = new SmtpSession(connection);
    await new Promise<void>((resolve, reject) => {
      // Stays: an idle connection that breaks would otherwise end the process. Who waits has heard of it by then.
      connection.on('error', (error) => {
        session.open = false;
        reject(error);
      });
      connection.connect((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    if (credentials && !connection.authenticated) {
      try {
        await session.answer((callback) => connection.login({ credentials }, callback));
      } catch (error) {
        session.close();
        throw error;
      }
    }
    return session;
  }

  get isUsable(): boolean {
    return this.open && this.submitted < MAILS_PER_SESSION;
  }

  /**
   * Hands over one mail. `beforeData` runs when the server has agreed to take the content and before any of it leaves;
   * when it fails, nothing leaves.
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
            // Header alone, and word of the good end too: the report lives on it.
            dsn: { ret: 'HDRS', notify: ['success', 'failure', 'delay'] },
          },
          content,
          (error) => (error ? reject(error) : resolve()),
        ),
      );
      return { kind: 'accepted' };
    } catch (failure) {
      const outcome = outcomeOf(failure, content.hasLeft);
      // In the middle of a content nothing can be said but goodbye.
      if (content.hasBegun) this.close();
      else await this.reset();
      return outcome;
    }
  }

  close(): void {
    this.open = false;
    this.connection.close();
  }

  private async reset(): Promise<void> {
    if (!this.open) return;
    try {
      await this.answer((callback) => this.connection.reset(callback));
    } catch {
      this.close();
    }
  }

  /** What the server says to a command. The library leaves it unanswered when the connection ends in the meantime. */
  private answer(command: (callback: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const onEnd = (): void => reject(new Error('the connection ended before the server had answered'));
      this.connection.once('end', onEnd);
      command((error) => {
        this.connection.off('end', onEnd);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

/** The content of a mail, which is read when the server has said that it takes it, and not before. */
class MailContent extends Readable {
  hasBegun = false;
  hasLeft = false;

  constructor(
    private readonly raw: Buffer,
    private readonly beforeData: (() => Promise<void>) | null,
  ) {
    super();
  }

  override _read(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
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
    this.push(this.raw);
    this.push(null);
  }
}
