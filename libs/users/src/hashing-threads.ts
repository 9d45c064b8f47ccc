import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';
import { Turns } from './turns';

/** What a thread is asked to do. */
type Order =
  { kind: 'hash'; password: string; options: Options } | { kind: 'verify'; stored: string; password: string };
type Reply = { value: string | boolean } | { error: string };

/** Behind the event loop wherever both want a processor: a hash can wait, whoever calls cannot. */
const NICENESS = 10;

/** Runs in the thread. A text and no file: a service is one bundle. */
const THREAD = `
  const { setPriority } = require('node:os');
  const { parentPort, workerData } = require('node:worker_threads');
  const { hashSync, verifySync } = require(workerData.argon2);
  // Linux takes this for the thread, other systems for the process.
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
 * Argon2 on threads of a lower priority than the event loop's. The library's own asynchronous calls run on the thread
 * pool of libuv, which competes with the loop as an equal: with as many hashes as processors, everything else of the
 * process waits for its slice.
 */
export class HashingThreads {
  private readonly idle: Worker[] = [];
  private readonly turns: Turns;

  constructor(threads: number, maxWaiting: number) {
    this.turns = new Turns(threads, maxWaiting, 'a password to be hashed');
  }

  /** In PHC notation. Throws SERVICE_UNAVAILABLE when too many wait. */
  async hash(password: string, options: Options): Promise<string> {
    return (await this.run({ kind: 'hash', password, options })) as string;
  }

  /** `stored` in PHC notation. Throws SERVICE_UNAVAILABLE when too many wait, an error when `stored` is no hash. */
  async verify(stored: string, password: string): Promise<boolean> {
    return (await this.run({ kind: 'verify', stored, password })) as boolean;
  }

  private run(order: Order): Promise<string | boolean> {
    return this.turns.take(async () => {
      const thread = this.idle.pop() ?? newThread();
      // While it works it keeps the process alive, and only then.
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

/** A thread that breaks is not used again. */
function ask(thread: Worker, order: Order): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => fail(new Error(`a hashing thread ended with ${code}`));
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
