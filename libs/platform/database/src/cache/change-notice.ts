import { CHANGE_CHANNEL } from './change-feed';

/** Delay of a notice after the first change, so that many changes lead to one notice. */
const DELAY_MS = 20;
/** Shortest time between two notices. */
const EVERY_MS = 100;

/**
 * Notifies all processes of new work, outside the transaction that adds it: PostgreSQL holds one lock over the
 * commits that notify, which would serialize them. A lost notice only delays the work until the next poll.
 */
export class ChangeNotice {
  private timer: NodeJS.Timeout | null = null;
  private sentAt = -Infinity;
  private isStopped = false;

  /** `run` runs a statement with its parameters; `subject` is the `table` of the reported change. */
  constructor(
    private readonly run: (text: string, values: string[]) => Promise<unknown>,
    private readonly subject: string,
  ) {}

  notify(): void {
    if (this.timer || this.isStopped) return;
    const delayMs = Math.max(DELAY_MS, this.sentAt + EVERY_MS - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sentAt = performance.now();
      this.run('SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, this.subject]).catch(() => undefined);
    }, delayMs);
    this.timer.unref();
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
  }
}
