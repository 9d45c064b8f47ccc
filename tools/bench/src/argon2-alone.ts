import { availableParallelism } from 'node:os';
import { verify } from '@node-rs/argon2';

/** The parameters of one run, passed as JSON in the first argument. */
export interface Argon2Order {
  /** A PHC string, which contains the cost parameters. */
  hash: string;
  password: string;
  durationMs: number;
}

/** Verifies a password repeatedly on all processors. Prints the rate per second. */
async function main(): Promise<void> {
  const { hash, password, durationMs } = JSON.parse(process.argv[2] ?? '{}') as Argon2Order;
  const startedAt = performance.now();
  let verified = 0;
  const work = async (): Promise<void> => {
    for (; performance.now() < startedAt + durationMs; verified++) {
      if (!(await verify(hash, password))) throw new Error('The password does not match the hash.');
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(JSON.stringify({ perSecond: verified / ((performance.now() - startedAt) / 1000) }));
}

void main();
