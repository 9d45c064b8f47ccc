import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';
import { Semaphore } from './semaphore';

/** Work for a thread. */
type Order =
  { kind: 'hash'; password: string; options: Options } | { kind: 'verify'; stored: string; password: string };
type Reply = { value: string | boolean } | { error: string };

/** Lower priority than the event loop: hashes can wait, requests cannot. */
const NICENESS = 10;

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
  private readonly semaphore: Semaphore;

  constructor(threads: number, maxWaiting: number) {
    this.semaphore = new Semaphore(threads, maxWaiting, 'password hashing');
  }

  /** Returns PHC notation. Throws SERVICE_UNAVAILABLE if the queue is full. */
  async hash(password: string, options: Options): Promise<string> {
    return (await this.run({ kind: 'hash', password, options })) as string;
  }

  /**
   * `stored` is in PHC notation. Throws SERVICE_UNAVAILABLE if the queue is full, and an error if `stored` is not a
   * valid hash.
   */
  async verify(stored: string, password: string): Promise<boolean> {
    return (await this.run({ kind: 'verify', stored, password })) as boolean;
  }

  private run(order: Order): Promise<string | boolean> {
    return this.semaphore.run(async () => {
      const thread = this.idle.pop() ?? newThread();
      // The thread keeps the process alive only while it is working.
      thread.ref();
      const reply = await ask(thread, order);
      thread.unref();
      this.idle.push(thread);
      if ('error' in reply) throw new Error(reply.error);
      return reply.value;
    });
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
