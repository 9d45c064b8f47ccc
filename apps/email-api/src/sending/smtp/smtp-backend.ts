import { isTestId } from '@heliograph/database';
import { Periodic, type Logger } from '@heliograph/service-kit';
import { EventLoopLoad, FairQueue, SharedLimit, type LanePath, type LaneWeights } from '@heliograph/fairness';
import { TestSession } from '../test-mode/test-session';
import { connectionProblem } from './connection-problem';
import { SmtpSession } from './smtp-session';
import type { SmtpServer } from './smtp-server';
import type { OutboundMail, SubmitOutcome } from './submit-outcome';

const IDLE_MS = 30_000;
/** Delay after a failed connection; submissions during this time are deferred immediately. */
const RECONNECT_MS = 1_000;
/** Delay between probes of a server that is down; doubled after each failed probe up to the longest. */
const SHORTEST_PROBE_DELAY_MS = 1_000;
const LONGEST_PROBE_DELAY_MS = 15_000;

/**
 * Mails that are composed and sent at the same time while the event loop is saturated and several organizations send: enough
 * to use the loop, and few enough that the mail of another organization does not wait for ten others at each step.
 */
const MAX_WHILE_SATURATED = 2;

/** A mail waiting for a connection. */
export interface Submission {
  /**
   * Kind, organization, domain of the recipient, and send. The kinds share the connections by weight; the organizations of a
   * kind, the domains of an organization, and the sends to a domain take turns. Slices of sends have the same last key: they are
   * served in their order.
   */
  lane: LanePath;
  /** Called when a connection is available, so that waiting mails do not occupy memory. */
  compose: () => Promise<OutboundMail>;
  beforeData: (() => Promise<void>) | null;
  /** Called when a connection is available; if true, the mail gets the outcome 'withdrawn'. */
  isWithdrawn?: (() => Promise<boolean>) | null;
  /** When the signal is aborted, a waiting mail gets the outcome 'withdrawn'. */
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
  private readonly queue: FairQueue<Waiting>;
  private readonly idle: Idle[] = [];
  private readonly limit: SharedLimit;
  private readonly testSession = new TestSession();
  private busy = 0;
  private stopping = false;
  private state: 'unknown' | 'up' | 'down' = 'unknown';
  private failedAt = -Infinity;
  /** The reason why the last failed connection failed. */
  private failure = '';
  private probeDelayMs = SHORTEST_PROBE_DELAY_MS;

  constructor(
    private readonly server: SmtpServer,
    private readonly connections: number,
    private readonly log: Logger,
    weights: LaneWeights = {},
    isSaturated: () => boolean = new EventLoopLoad().isSaturated,
  ) {
    this.queue = new FairQueue(weights);
    this.limit = new SharedLimit(connections, {
      max: MAX_WHILE_SATURATED,
      isSaturated,
    });
  }

  /** Number of mails waiting for a connection. */
  get depth(): number {
    return this.queue.size;
  }

  /** Reason why the server is down; null if the last connection succeeded or no connection was attempted. */
  get problem(): string | null {
    return this.state === 'down' ? this.failure : null;
  }

  submit(submission: Submission): Promise<SubmissionOutcome> {
    return new Promise((resolve) => {
      this.limit.note(submission.lane[1] ?? '');
      this.queue.push(submission.lane, { ...submission, resolve });
      this.next();
    });
  }

  /** Connects while the state of the server is unknown or down, so that the state is also detected without traffic. */
  @Periodic({ everyMs: SHORTEST_PROBE_DELAY_MS })
  async probe(signal: AbortSignal): Promise<void> {
    if (this.state === 'up' || this.stopping || this.busy + this.idle.length >= this.connections) return;
    if (performance.now() - this.failedAt < this.probeDelayMs) return;
    this.busy++;
    const session = await this.connect(signal);
    this.busy--;
    if (session) this.releaseSession(session);
    else this.probeDelayMs = Math.min(this.probeDelayMs * 2, LONGEST_PROBE_DELAY_MS);
    this.next();
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
    while (this.busy < this.limit.current) {
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

  /**
   * The only way to a connection: the mails of test organizations wait in the same lanes and are composed like all others, and then
   * get the answer of the test session.
   */
  private async transmit({ lane, signal, isWithdrawn, compose, beforeData }: Waiting): Promise<SubmissionOutcome> {
    if (signal?.aborted || this.stopping || (await isWithdrawn?.())) return { kind: 'withdrawn' };
    const [, organizationId = ''] = lane;
    if (isTestId(organizationId)) return this.testSession.submit(await compose(), beforeData);
    const pooled = this.pooledSession();
    const session = pooled ?? (this.isDelayed ? null : await this.connect());
    if (!session) return this.unavailable();
    let mail: OutboundMail;
    try {
      mail = await compose();
    } catch (error) {
      // The connection is still usable.
      this.releaseSession(session);
      throw error;
    }
    const marked = once(beforeData);
    const outcome = await this.submitOn(session, mail, marked);
    // Servers close connections after some mails or some idle time, which says nothing about the mail.
    if (!pooled || outcome.kind !== 'deferred' || !outcome.connectionEnded || this.stopping) return outcome;
    if (await isWithdrawn?.()) return { kind: 'withdrawn' };
    const fresh = await this.connect();
    return fresh ? this.submitOn(fresh, mail, marked) : this.unavailable();
  }

  private async submitOn(
    session: SmtpSession,
    mail: OutboundMail,
    beforeData: (() => Promise<void>) | null,
  ): Promise<SubmitOutcome> {
    const outcome = await session.submit(mail, beforeData);
    if (outcome.kind === 'accepted') this.markUp();
    this.releaseSession(session);
    return outcome;
  }

  private unavailable(): SubmitOutcome {
    return { kind: 'deferred', reason: `The mail backend is unavailable: ${this.failure}.` };
  }

  private get isDelayed(): boolean {
    return performance.now() - this.failedAt < RECONNECT_MS;
  }

  /** Returns a connection that was used before; null if there is none. */
  private pooledSession(): SmtpSession | null {
    for (let entry = this.idle.pop(); entry; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.session.isUsable) return entry.session;
      entry.session.close();
    }
    return null;
  }

  /** Returns null if the server is unreachable or rejects the login. */
  private async connect(signal?: AbortSignal): Promise<SmtpSession | null> {
    try {
      const session = await SmtpSession.connect(this.server, signal);
      this.markUp();
      return session;
    } catch (error) {
      if (!signal?.aborted) this.markDown(error);
      return null;
    }
  }

  private markUp(): void {
    if (this.state === 'down') this.log.info('the mail backend is available again');
    this.state = 'up';
    this.failedAt = -Infinity;
    this.probeDelayMs = SHORTEST_PROBE_DELAY_MS;
  }

  private markDown(error: unknown): void {
    const problem = connectionProblem(error);
    if (problem !== this.problem) this.log.error({ err: error }, `the mail backend is unavailable: ${problem}`);
    this.state = 'down';
    this.failure = problem;
    this.failedAt = performance.now();
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

/** A mail that is submitted again on a fresh connection is marked only once as possibly sent. */
function once(beforeData: (() => Promise<void>) | null): (() => Promise<void>) | null {
  if (!beforeData) return null;
  let isDone = false;
  return async () => {
    if (!isDone) await beforeData();
    isDone = true;
  };
}
