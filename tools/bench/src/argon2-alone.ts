import { availableParallelism } from 'node:os';
import { verify } from '@node-rs/argon2';

/** What a run of this process is told, as the JSON of its first argument. */
export interface Argon2Order {
  /** With the cost in it. */
  hash: string;
  password: string;
  durationMs: number;
}

/** Compares a password with its hash, over and over on all processors. Prints how often in a second. */
async function main(): Promise<void> {
  const { hash, password, durationMs } = JSON.parse(process.argv[2] ?? '{}') as Argon2Order;
  const startedAt = performance.now();
  let verified = 0;
  const work = async (): Promise<void> => {
    for (; performance.now() < startedAt + durationMs; verified++) {
      if (!(await verify(hash, password))) throw new Error('the password does not fit the hash');
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(JSON.stringify({ perSecond: verified / ((performance.now() - startedAt) / 1000) }));
}

void main();
