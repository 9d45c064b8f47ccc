import { SubmitPacing } from './submit-pacing';

const ROUND_TRIP_MS = 20;
const WINDOW = 100;
const RETRY_MS = 1_000;

/** Whether a server accepts a submit at a time. */
type Server = (nowMs: number) => boolean;

/** Counts the submits of each second of its clock. */
const fixedWindow = (perSecond: number): Server => {
  let second = -1;
  let count = 0;
  return (nowMs) => {
    if (Math.floor(nowMs / 1_000) !== second) [second, count] = [Math.floor(nowMs / 1_000), 0];
    count += 1;
    return count <= perSecond;
  };
};
/** Accepts at most `perSecond` in any second. */
const slidingWindow = (perSecond: number): Server => {
  const accepted: number[] = [];
  return (nowMs) => {
    while ((accepted[0] ?? Infinity) <= nowMs - 1_000) accepted.shift();
    if (accepted.length >= perSecond) return false;
    accepted.push(nowMs);
    return true;
  };
};
/** Counts in windows of a tenth of a second. */
const shortWindow = (perSecond: number): Server => {
  const inner = fixedWindow(perSecond / 10);
  return (nowMs) => inner(nowMs * 10);
};

interface Outcome {
  submits: number;
  /** Seconds until the last message was accepted. */
  seconds: number;
}

/** Sends messages to a server on a simulated clock. A throttled message is retried after a second. */
function simulate(messages: number, server: Server, pacing = new SubmitPacing(null, 0), startMs = 0): Outcome {
  const waiting = Array.from({ length: messages }, () => startMs);
  let underWay: { doneMs: number; accepted: boolean }[] = [];
  let submits = 0;
  let accepted = 0;
  let nowMs = startMs;
  for (; accepted < messages; nowMs += 1) {
    for (const { accepted: ok } of underWay.filter(({ doneMs }) => doneMs <= nowMs)) {
      if (ok) {
        accepted += 1;
        pacing.accepted(nowMs);
      } else {
        pacing.throttled(nowMs);
        waiting.push(nowMs + RETRY_MS);
      }
    }
    underWay = underWay.filter(({ doneMs }) => doneMs > nowMs);
    while (underWay.length < WINDOW && (waiting[0] ?? Infinity) <= nowMs && pacing.waitMs(nowMs) === 0) {
      waiting.shift();
      pacing.reserve(nowMs);
      submits += 1;
      underWay.push({ doneMs: nowMs + ROUND_TRIP_MS, accepted: server(nowMs + ROUND_TRIP_MS / 2) });
    }
  }
  return { submits, seconds: (nowMs - startMs) / 1_000 };
}

describe('the adaptive rate', () => {
  const servers = { fixedWindow, slidingWindow, shortWindow };
  const cases = Object.entries(servers).flatMap(([name, server]) =>
    [10, 20, 50, 100].map((perSecond) => [name, perSecond, server] as const),
  );

  it.each(cases)(
    'row 25: needs few additional submits for 200 messages to a %s server that allows %i a second',
    (_name, perSecond, server) => {
      expect(simulate(200, server(perSecond)).submits).toBeLessThanOrEqual(225);
    },
  );

  it.each(cases)(
    'row 25: stays close to the rate of a %s server that allows %i a second',
    (_name, perSecond, server) => {
      const messages = perSecond * 60;
      const { submits, seconds } = simulate(messages, server(perSecond));
      expect(submits).toBeLessThan(messages * 1.06);
      expect(messages / seconds).toBeGreaterThan(perSecond * 0.75);
    },
  );

  it('reaches 2,000 submits a second within two seconds when nothing is throttled', () => {
    const pacing = new SubmitPacing(null, 0);
    expect(simulate(2_000, () => true, pacing).seconds).toBeLessThan(2);
    expect(pacing.perSecond).toBeGreaterThan(2_000);
  });

  it('never exceeds the configured throughput', () => {
    const pacing = new SubmitPacing(50, 0);
    expect(simulate(500, () => true, pacing).seconds).toBeGreaterThan(9);
    expect(pacing.perSecond).toBe(50);
  });

  it('keeps its rate while a carrier accepts nothing, and recovers after a slow period', () => {
    const pacing = new SubmitPacing(null, 0);
    simulate(1_000, () => true, pacing);
    const before = pacing.perSecond;
    const outage = simulate(1, (nowMs) => nowMs > 60_000, pacing, 10_000);
    expect(pacing.perSecond).toBeGreaterThan(before / 3);
    expect(outage.submits).toBeLessThan(30);
    simulate(300, slidingWindow(5), pacing, 100_000);
    expect(pacing.perSecond).toBeLessThan(15);
    expect(simulate(5_000, () => true, pacing, 200_000).seconds).toBeLessThan(120);
  });
});
