import type { Logger } from '@heliograph/platform';
import { FairQueue } from '@heliograph/pacing';
import { SmtpSession } from './smtp-session';
import type { SmtpServer } from './smtp-settings';
import type { OutboundMail, SubmitOutcome } from './submit-outcome';

const IDLE_MS = 30_000;
/** After a connection that failed, the next one is tried after this time; whoever comes before is told at once. */
const RECONNECT_MS = 1_000;

/** One mail that waits for a connection. */
export interface Submission {
  /** Who shares the connections with whom: tenants take turns. */
  tenant: string;
  /** The send that it belongs to: the sends of a tenant take turns. */
  send: string;
  /** Made when its turn has come: a thousand mails do not wait in memory. */
  compose: () => Promise<OutboundMail>;
  beforeData: (() => Promise<void>) | null;
  /** Once aborted, a mail that still waits is given back as 'withdrawn'. */
  signal: AbortSignal;
}

export type SubmissionOutcome = SubmitOutcome | { kind: 'withdrawn' } | { kind: 'broken'; error: unknown };

interface Waiting extends Submission {
  resolve: (outcome: SubmissionOutcome) => void;
}

interface Idle {
  session: SmtpSession;
  timer: NodeJS.Timeout;
}

/** The submission server behind a fixed number of connections. */
export class SmtpBackend {
  private readonly queue = new FairQueue<Waiting>();
  private readonly idle: Idle[] = [];
  private busy = 0;
  private stopping = false;
  private failedAt = -Infinity;
  private failure = '';

  constructor(
    private readonly server: SmtpServer,
    private readonly connections: number,
    private readonly log: Logger,
  ) {}

  /** What waits for a connection. */
  get depth(): number {
    return this.queue.size;
  }

  get isDown(): boolean {
    return performance.now() - this.failedAt < RECONNECT_MS;
  }

  submit(submission: Submission): Promise<SubmissionOutcome> {
    return new Promise((resolve) => {
      this.queue.push(submission.tenant, submission.send, { ...submission, resolve });
      this.next();
    });
  }

  /** Gives back what waits, lets what is under way end, and says goodbye to the server. */
  stop(): void {
    this.stopping = true;
    for (let waiting = this.queue.shift(); waiting; waiting = this.queue.shift())
      waiting.resolve({ kind: 'withdrawn' });
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.close();
    }
  }

  private next(): void {
    while (this.busy < this.connections) {
      const waiting = this.queue.shift();
      if (!waiting) return;
      this.busy++;
      void this.serve(waiting);
    }
  }

  private async serve(waiting: Waiting): Promise<void> {
    let outcome: SubmissionOutcome;
    try {
      outcome = await this.handOver(waiting);
    } catch (error) {
      outcome = { kind: 'broken', error };
    }
    this.busy--;
    waiting.resolve(outcome);
    this.next();
  }

  private async handOver({ signal, compose, beforeData }: Waiting): Promise<SubmissionOutcome> {
    if (signal.aborted || this.stopping) return { kind: 'withdrawn' };
    const session = await this.session();
    if (!session) return { kind: 'deferred', reason: this.failure };
    let outcome: SubmitOutcome | undefined;
    try {
      outcome = await session.submit(await compose(), beforeData);
      return outcome;
    } finally {
      // Composing may have failed: the connection is none the worse for it.
      this.keep(session);
    }
  }

  /** Null: the server cannot be reached, or does not let us in. */
  private async session(): Promise<SmtpSession | null> {
    for (let kept = this.idle.pop(); kept; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.session.isUsable) return kept.session;
      kept.session.close();
    }
    if (this.isDown) return null;
    try {
      return await SmtpSession.connect(this.server);
    } catch (error) {
      this.failure = `The mail backend cannot be reached: ${(error as Error).message}`.slice(0, 500);
      if (!this.isDown) this.log.error({ err: error }, 'the mail backend cannot be reached');
      this.failedAt = performance.now();
      return null;
    }
  }

  private keep(session: SmtpSession): void {
    if (this.stopping || !session.isUsable) {
      session.close();
      return;
    }
    const timer = setTimeout(() => {
      const index = this.idle.findIndex((kept) => kept.session === session);
      if (index >= 0) this.idle.splice(index, 1);
      session.close();
    }, IDLE_MS);
    timer.unref();
    this.idle.push({ session, timer });
  }
}
