import { showMeasured, showSplit, type Measured } from '../measure';
import type { Options } from '../options';
import { appendRow } from '../results';
import type { Stalls } from '../stalls';

/** Longer than this the event loop may not stand still of its own while fifty log in. */
const LONGEST_STALL_MS = 20;

export interface LoginRound {
  /** What argon2 alone did, a second. */
  alone: number;
  login: Measured;
  stalls: Stalls;
}

/** Answers what is broken: a stall that was too long. */
export function reportLogin(rounds: LoginRound[], options: Options): string[] {
  const sorted = [...rounds].sort((x, y) => x.login.perSecond - y.login.perSecond);
  const middle = sorted[sorted.length >> 1];
  if (!middle) throw new Error('nothing was measured');
  const { alone, login } = middle;
  // The worst of all rounds: a median would hide what a caller has to wait for.
  const worst = (of: keyof Stalls): number => Math.max(...rounds.map(({ stalls }) => stalls[of]));
  const [maxMs, p99Ms, maxOwnMs] = [worst('maxMs'), worst('p99Ms'), worst('maxOwnMs')];
  console.log(showMeasured('login, 50 at the same time', login));
  console.log(`    CPU s/1000: ${showSplit(login)}`);
  console.log(`argon2 alone                       ${alone.toFixed(1).padStart(6)}/s`);
  console.log(`login/argon2 ${(login.perSecond / alone).toFixed(2)}`);
  console.log(
    `event loop stalls of all rounds: p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms, ` +
      `max of its own ${maxOwnMs.toFixed(1)} ms`,
  );
  appendRow('Logins', options, [
    login.perSecond.toFixed(1),
    alone.toFixed(1),
    (login.perSecond / alone).toFixed(2),
    `${login.p50Ms.toFixed(0)} / ${login.p99Ms.toFixed(0)}`,
    `${p99Ms.toFixed(1)} / ${maxMs.toFixed(1)} / ${maxOwnMs.toFixed(1)}`,
    maxOwnMs <= LONGEST_STALL_MS ? 'holds' : 'BROKEN',
  ]);
  return maxOwnMs <= LONGEST_STALL_MS ? [] : [`the event loop stood still for ${maxOwnMs.toFixed(1)} ms of its own`];
}
