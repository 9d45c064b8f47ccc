import { CampaignPace } from './campaign-pace';

/** Returns the number of messages sent in one minute by a worker that runs every `turnMs` milliseconds and sends at most `most` messages per batch. */
function messagesInAMinute(rate: number, turnMs: number, most: number): number {
  let sent = 0;
  let dueAt = 0;
  for (let now = 0; now < 60_000; now += turnMs) {
    if (dueAt > now) continue;
    const pace = new CampaignPace(rate, new Date(dueAt), now);
    while (pace.isDue(now)) {
      const count = pace.limit(most, now);
      sent += count;
      pace.add(count);
    }
    dueAt += pace.delayMs;
  }
  return sent;
}

describe('the pace of a campaign', () => {
  it.each([
    [1, 1_000, 500],
    [60, 1_000, 500],
    [119, 1_050, 500],
    [179, 1_050, 500],
    [600, 3_100, 500],
    [100_000, 1_050, 500],
    [6_000, 1_050, 1],
  ])('is %i messages a minute with a turn every %i ms and batches of %i', (rate, turnMs, most) => {
    const sent = messagesInAMinute(rate, turnMs, most);
    expect(sent).toBeGreaterThanOrEqual(Math.floor(rate * 0.94));
    expect(sent).toBeLessThanOrEqual(rate + 1);
  });

  it('catches up with at most five seconds', () => {
    const pace = new CampaignPace(60, new Date(0), 3_600_000);
    expect(pace.limit(500, 3_600_000)).toBe(6);
  });

  it('is not limited without a rate', () => {
    const pace = new CampaignPace(null, new Date(0), 0);
    pace.add(1_000);
    expect([pace.limit(500, 0), pace.isDue(0), pace.delayMs]).toEqual([500, true, 0]);
  });
});
