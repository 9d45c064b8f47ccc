import type { Stalls } from '../../event-loop-stalls';
import { medianBy } from '../../latencies';
import { latencyCell, printMeasurements, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';

/** The maximum time that the event loop may be busy without interruption during fifty logins. */
const MAX_STALL_MS = 20;

export interface LoginRound {
  argon2PerSecond: number;
  login: Measurement;
  stalls: Stalls;
}

/** Resolves with the missed targets. */
export function reportLogin(rounds: LoginRound[], options: Options): string[] {
  const { argon2PerSecond, login } = medianBy(rounds, (round) => round.login.perSecond);
  // The worst of all rounds: a median would hide how long a caller may have to wait.
  const worst = (key: keyof Stalls): number => Math.max(...rounds.map(({ stalls }) => stalls[key]));
  const stalls: Stalls = { maxMs: worst('maxMs'), p99Ms: worst('p99Ms'), maxOwnMs: worst('maxOwnMs') };
  const { maxMs, p99Ms, maxOwnMs } = stalls;
  const ratio = login.perSecond / argon2PerSecond;
  printMeasurements({ login: 'login, 50 concurrent clients' }, { login });
  console.log(`argon2 alone                       ${argon2PerSecond.toFixed(1).padStart(6)}/s`);
  console.log(`login/argon2 ${ratio.toFixed(2)}`);
  console.log(`event loop stalls of all rounds: ${formatStalls(stalls)}`);
  appendRow('Logins', options, [
    login.perSecond.toFixed(1),
    argon2PerSecond.toFixed(1),
    ratio.toFixed(2),
    latencyCell(login, 0),
    `${p99Ms.toFixed(1)} / ${maxMs.toFixed(1)} / ${maxOwnMs.toFixed(1)}`,
    maxOwnMs <= MAX_STALL_MS ? 'holds' : 'BROKEN',
  ]);
  return maxOwnMs <= MAX_STALL_MS ? [] : [`the event loop was busy for ${maxOwnMs.toFixed(1)} ms without a break`];
}

export function formatStalls({ p99Ms, maxMs, maxOwnMs }: Stalls): string {
  return `p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms, max of its own ${maxOwnMs.toFixed(1)} ms`;
}
