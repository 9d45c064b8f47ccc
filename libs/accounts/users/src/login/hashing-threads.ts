import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';
import { FairSemaphore, type LaneObserver } from '@heliograph/fairness';

/** Work for a thread. */
type Order =
  { kind: 'hash'; password: string; options: Options } | { kind: 'verify'; stored: string; password: string };
type Reply = { value: string | boolean } | { error: string };

/**
 * Who waits for a hash. `known`: a browser or network that has logged in as this user before, and users who are logged in.
 * `fresh`: logins without recent failures. `nobody`: logins as users who do not exist. `suspect`: logins with the failures
 * of a guesser. `new`: new passwords.
 */
export type HashingKind = 'known' | 'fresh' | 'nobody' | 'suspect' | 'new';

export interface HashingLane {
  kind: HashingKind;
  /** The network of an anonymous caller, or the id of a user. */
  owner: string;
}

/** Lower priority than the event loop: hashes can wait, requests cannot. */
const NICENESS = 10;
/** Clients have usually given up after this time. */
const MAX_WAIT_MS = 10_000;

/** Source code of the thread. A string, because each service is bundled into one file. */
const THREAD = `
  const { setPriority } = require('node:os');
  const { parentPort, workerData } = require('node:worker_threads');
  const { hashSync, verifySync } = require(workerData.argon2);
  // On Linux this applies to the thread, on other systems to the process.
  if (process.platform === 'linux') setPriority(workerData.niceness);
  parentPort.on('message', (order) => {
    try {
      const value =
        order.kind === 'hash' ? hashSync(order.password, order.options) : verifySync(order.stored, order.password);
      parentPort.postMessage({ value });
    } catch (error) {
      parentPort.postMessage({ error: error.message });
    }
  });
`;

/**
 * Runs Argon2 on threads with a lower priority than the event loop. The asynchronous functions of the library use the
 * libuv thread pool, which competes with the event loop at equal priority and delays all other requests.
 */
export class HashingThreads {
  private readonly idle: Worker[] = [];
  private readonly semaphore: FairSemaphore<HashingKind>;

  /**
   * Guessers and registrations never use the last thread, so that a login from a known browser starts at once.
   * @param threads at least 2
   * @param maxWaiting of one owner
   */
  constructor(threads: number, maxWaiting: number) {
    const untrusted = { weight: 1, maxWaiting, maxConcurrent: Math.max(1, threads - 1), pool: 'untrusted' };
    this.semaphore = new FairSemaphore({
      stage: 'hashing',
      slots: threads,
      kinds: {
        known: { weight: 8, maxWaiting },
        fresh: { weight: 4, maxWaiting },
        nobody: untrusted,
        suspect: untrusted,
        new: untrusted,
      },
      maxWaitMs: MAX_WAIT_MS,
      refusal: 'Too many logins and registrations are waiting. Try again after the seconds in the Retry-After header.',
    });
  }

  observe(observer: LaneObserver): void {
    this.semaphore.observe(observer);
  }

  /** Returns PHC notation. Throws RATE_LIMITED if the queue is full. */
  async hash(password: string, options: Options, lane: HashingLane): Promise<string> {
    return (await this.run({ kind: 'hash', password, options }, lane)) as string;
  }

  /**
   * `stored` is in PHC notation. Throws RATE_LIMITED if the queue is full, and an error if `stored` is not a valid hash.
   */
  async verify(stored: string, password: string, lane: HashingLane): Promise<boolean> {
    return (await this.run({ kind: 'verify', stored, password }, lane)) as boolean;
  }

  /**
   * Verifies the password of a user without recent failures. The user does not wait behind logins as nobody, but each of
   * these logins has a turn in that lane too. A wrong password is reported after this turn and the time of a hash, as if the
   * user did not exist, so that the time does not reveal whether the user exists. Throws as `verify`.
   */
  async verifyFresh(stored: string, password: string, owner: string): Promise<boolean> {
    /** How long the verification took; null until it ends. */
    let tookMs: number | null = null;
    const turnOfNobody = this.semaphore.run('nobody', owner, () => Promise.resolve(tookMs));
    // After a right password, nothing waits for the turn.
    turnOfNobody.catch(() => undefined);
    const isRight = await this.semaphore.run('fresh', owner, async () => {
      const startedAt = performance.now();
      const matches = await this.work({ kind: 'verify', stored, password });
      tookMs = performance.now() - startedAt;
      return matches === true;
    });
    if (isRight) return true;
    const endedBeforeMs = await turnOfNobody;
    if (endedBeforeMs !== null) await delay(endedBeforeMs);
    return false;
  }

  private run(order: Order, { kind, owner }: HashingLane): Promise<string | boolean> {
    return this.semaphore.run(kind, owner, () => this.work(order));
  }

  private async work(order: Order): Promise<string | boolean> {
    const thread = this.idle.pop() ?? newThread();
    // The thread keeps the process alive only while it is working.
    thread.ref();
    const reply = await ask(thread, order);
    thread.unref();
    this.idle.push(thread);
    if ('error' in reply) throw new Error(reply.error);
    return reply.value;
  }
}

function newThread(): Worker {
  return new Worker(THREAD, {
    eval: true,
    workerData: { argon2: require.resolve('@node-rs/argon2'), niceness: NICENESS },
  });
}

/** A failed thread is replaced. */
function ask(thread: Worker, order: Order): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => fail(new Error(`a hashing thread exited with code ${code}`));
    const forget = (): void => {
      thread.off('message', answered).off('error', fail).off('exit', ended);
    };
    const answered = (reply: Reply): void => {
      forget();
      resolve(reply);
    };
    const fail = (error: Error): void => {
      forget();
      reject(error);
    };
    thread.once('message', answered).once('error', fail).once('exit', ended);
    thread.postMessage(order);
  });
}
