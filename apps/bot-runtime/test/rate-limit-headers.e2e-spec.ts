import { BotFixture } from './bot-fixture';

describe('the rate limit headers', () => {
  let bots: BotFixture;
  beforeAll(async () => {
    bots = await (await BotFixture.shared()).beside({ BOT_READS_PER_MINUTE_PER_IP: '500' });
  });
  afterAll(() => bots.service.stop());

  it.each([
    ['an unknown path (404)', 404, 'GET', '/api/v1/chat/nothing'],
    ['a wrong method (405)', 405, 'DELETE', '/api/v1/chat/conversations'],
    ['a call without a token (401)', 401, 'GET', '/api/v1/chat/conversations/x/messages'],
  ])('are on the response to %s', async (_what, status, method, path) => {
    const { headers, ...answer } = await bots.call(path, { method });
    expect(answer.status).toBe(status);
    expect(Number(headers.get('ratelimit-limit'))).toBe(500);
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(500);
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });
});
