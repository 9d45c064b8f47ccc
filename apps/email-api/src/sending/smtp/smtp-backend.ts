import type { Logger } from '@heliograph/service-kit';
import { FairQueue } from '@heliograph/pacing';
import { SmtpSession } from './smtp-session';
import type { SmtpServer } from './smtp-server';
import type { OutboundMail, SubmitOutcome } from './submit-outcome';

const IDLE_MS = 30_000;
/** Delay after a failed connection; submissions during this time are deferred immediately. */
const RECONNECT_MS = 1_000;

/** A mail waiting for a connection. */
export interface Submission {
  /** Connections are shared fairly between tenants. */
  tenant: string;
  /** The send of the mail; connections are shared fairly between the sends of a tenant. */
  send: string;
  /** Called when a connection is available, so that waiting mails do not occupy memory. */
  compose: () => Promise<OutboundMail>;
  beforeData: (() => Promise<void>) | null;
  /** After it is aborted, a waiting mail ends as 'withdrawn'. */
  signal?: AbortSignal;
}

export type SubmissionOutcome = SubmitOutcome | { kind: 'withdrawn' } | { kind: 'broken'; error: unknown };

interface Waiting extends Submission {
  resolve: (outcome: SubmissionOutcome) => void;
}

interface Idle {
  session: SmtpSession;
  timer: NodeJS.Timeout;
}

/** The submission server with a pool of connections. */
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

  /** Number of mails waiting for a connection. */
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

  /** Withdraws waiting mails and closes idle connections; mails in progress complete. */
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
      outcome = await this.transmit(waiting);
    } catch (error) {
      outcome = { kind: 'broken', error };
    }
    this.busy--;
    waiting.resolve(outcome);
    this.next();
  }

  private async transmit({ signal, compose, beforeData }: Waiting): Promise<SubmissionOutcome> {
    if (signal?.aborted || this.stopping) return { kind: 'withdrawn' };
    const session = await this.session();
    if (!session) return { kind: 'deferred', reason: this.failure };
    let outcome: SubmitOutcome | undefined;
    try {
      outcome = await session.submit(await compose(), beforeData);
      return outcome;
    } finally {
      // The connection is still usable if composing failed.
      this.releaseSession(session);
    }
  }

  /** Returns null if the server is unreachable or rejects the login. */
  private async session(): Promise<SmtpSession | null> {
    for (let entry = this.idle.pop(); entry; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.session.isUsable) return entry.session;
      entry.session.close();
    }
    if (this.isDown) return null;
    try {
      return await SmtpSession.connect(this.server);
    } catch (error) {
      this.failure = `The mail backend is unreachable: ${(error as Error).message}`.slice(0, 500);
      if (!this.isDown) this.log.error({ err: error }, 'the mail backend is unreachable');
      this.failedAt = performance.now();
      return null;
    }
  }

  private releaseSession(session: SmtpSession): void {
    if (this.stopping || !session.isUsable) {
      session.close();
      return;
    }
    const timer = setTimeout(() => {
      const index = this.idle.findIndex((entry) => entry.session === session);
      if (index >= 0) this.idle.splice(index, 1);
      session.close();
    }, IDLE_MS);
    timer.unref();
    this.idle.push({ session, timer });
  }
}
