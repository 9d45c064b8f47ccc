import { sendIncompleteRequest, TcpProxy, testServers, until, type HttpResponse } from '@heliograph/testing';
import { BotFixture, type Chat } from './bot-fixture';
import type { EventStream } from './event-stream';

const LIMITS = {
  BOT_STARTS_PER_5_MINUTES: '4',
  BOT_MESSAGES_PER_MINUTE: '5',
  BOT_MESSAGES_PER_MINUTE_PER_IP: '8',
  BOT_CHANGES_PER_MINUTE: '5',
  BOT_CHANGES_PER_MINUTE_PER_IP: '8',
  BOT_READS_PER_MINUTE: '5',
  BOT_READS_PER_MINUTE_PER_IP: '8',
};

let addresses = 0;
/** An address that no other test uses, because all tests share one Redis. */
function newAddress(): string {
  addresses += 1;
  return `10.${process.pid % 250}.${Math.floor(Math.random() * 250)}.${addresses}`;
}
const from = (address: string) => ({ 'X-Forwarded-For': address });
const limitsOf = ({ headers }: HttpResponse) => [
  Number(headers.get('ratelimit-limit')),
  Number(headers.get('ratelimit-remaining')),
];

function assertLimited(answer: HttpResponse, mostSeconds: number): void {
  expect([answer.status, answer.body['ok'], answer.body['code']]).toEqual([429, false, 'RATE_LIMITED']);
  const wait = Number(answer.headers.get('retry-after'));
  expect([wait > 0, wait <= mostSeconds]).toEqual([true, true]);
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('ratelimit-reset')).toBe(String(wait));
}

let shared: BotFixture;
beforeAll(async () => {
  shared = await BotFixture.shared();
});

describe.each(['with Redis', 'while Redis is unavailable'])('the rate limits %s', (kind) => {
  let bots: BotFixture;
  let proxy: TcpProxy;
  let botId: string;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.redisUrl);
    const environment = { TRUST_PROXY: '127.0.0.1', REDIS_URL: proxy.through(testServers.redisUrl) };
    bots = await shared.beside({ ...LIMITS, ...environment });
    botId = (await bots.bot()).publicId;
    if (kind === 'with Redis') return;
    proxy.cut();
    await until('Redis is reported as down', async () => {
      const { body } = await bots.call('/health/ready');
      return (body['checks'] as Record<string, string>)['redis'] === 'down';
    });
  });
  afterAll(async () => {
    await bots.service.stop();
    await proxy.stop();
  });

  const start = (address: string, body: object = { botId }) =>
    bots.post('/api/v1/chat/conversations', body, from(address));
  const say = (chat: Chat, address: string, message: unknown = 'Hi') => bots.say(chat, message, {}, from(address));

  it('allow the configured number of starts per address in five minutes', async () => {
    const address = newAddress();
    for (let left = 3; left >= 0; left--) {
      const answer = await start(address);
      expect([answer.status, ...limitsOf(answer)]).toEqual([201, 4, left]);
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(300);
    }
    assertLimited(await start(address), 300);
    expect((await start(newAddress())).status).toBe(201);
  });

  it('count a start with an invalid body', async () => {
    const address = newAddress();
    for (let n = 0; n < 4; n++) expect((await start(address, { botId, channel: 'pigeon' })).status).toBe(400);
    assertLimited(await start(address, { botId, channel: 'pigeon' }), 300);
  });

  it('refuse starts and messages above a limit before the body is read', async () => {
    const address = newAddress();
    for (let n = 0; n < 4; n++) await start(address);
    const chat = await bots.chat(botId, {}, from(newAddress()));
    for (let n = 0; n < 5; n++) await say(chat, newAddress());
    const path = `${bots.url}/api/v1/chat/conversations`;
    const visitor = { ...from(newAddress()), Authorization: `Bearer ${chat.token}` };
    for (const { status, text } of [
      await sendIncompleteRequest(path, from(address)),
      await sendIncompleteRequest(`${path}/${chat.id}/messages`, visitor),
    ]) {
      expect([status, JSON.parse(text)]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    }
  });

  it('allow the configured number of messages per conversation and minute, from any address', async () => {
    const chat = await bots.chat(botId, {}, from(newAddress()));
    for (let left = 4; left >= 0; left--) {
      expect(limitsOf(await say(chat, newAddress()))).toEqual([5, left]);
    }
    assertLimited(await say(chat, newAddress()), 60);
    expect(await bots.transcript(chat)).toHaveLength(10);
  });

  it('allow the configured number of messages per address and minute, in any conversation', async () => {
    const address = newAddress();
    const chats = await Promise.all([1, 2, 3].map(() => bots.chat(botId, {}, from(newAddress()))));
    for (let n = 0; n < 8; n++) expect((await say(chats[n % 3]!, address)).status).toBe(201);
    assertLimited(await say(chats[2]!, address), 60);
    expect((await say(chats[2]!, newAddress())).status).toBe(201);
  });

  it('return the stricter of two limits in the headers', async () => {
    const address = newAddress();
    const chats = await Promise.all([1, 2].map(() => bots.chat(botId, {}, from(newAddress()))));
    expect(limitsOf(await say(chats[0]!, address))).toEqual([5, 4]);
    for (let n = 0; n < 4; n++) await say(chats[0]!, address);
    expect(limitsOf(await say(chats[1]!, address))).toEqual([8, 2]);
  });

  it('do not count requests of a conversation above its limit for the address', async () => {
    const address = newAddress();
    const chats = await Promise.all([1, 2].map(() => bots.chat(botId, {}, from(newAddress()))));
    for (let n = 0; n < 5; n++) await say(chats[0]!, address);
    for (let n = 0; n < 5; n++) assertLimited(await say(chats[0]!, address), 60);
    for (let n = 0; n < 3; n++) expect((await say(chats[1]!, address)).status).toBe(201);
    assertLimited(await say(chats[1]!, address), 60);
  });

  it('count forms and invalid bodies as messages, but no preflight requests and no requests with a wrong token', async () => {
    const chat = await bots.chat(botId, {}, from(newAddress()));
    const address = newAddress();
    await bots.postOn(chat, '/forms/nobody/submissions', { answers: {} }, from(address));
    await say(chat, address, '');
    for (let n = 0; n < 10; n++) {
      await bots.on(chat, '/messages', { method: 'OPTIONS', headers: from(address) });
      expect((await say({ ...chat, token: 'bcs_wrong' }, address)).status).toBe(401);
    }
    expect(limitsOf(await say(chat, address))).toEqual([5, 2]);
  });

  describe.each<[string, ((chat: Chat, address: string) => Promise<HttpResponse>)[]]>([
    [
      'ends, reopens and ratings',
      [
        (chat, address) => bots.postOn(chat, '/end', {}, from(address)),
        (chat, address) => bots.postOn(chat, '/reopen', {}, from(address)),
        (chat, address) => bots.postOn(chat, '/feedback', { rating: 5 }, from(address)),
      ],
    ],
    [
      'reads and new event streams',
      [
        (chat, address) => bots.on(chat, '', { headers: from(address) }),
        (chat, address) => bots.on(chat, '/messages', { headers: from(address) }),
        // This request is counted and then rejected, so that no stream remains open.
        (chat, address) => bots.on(chat, '/events?after=x', { headers: from(address) }),
      ],
    ],
  ])('for %s', (_, calls) => {
    const nth = (n: number) => calls[n % calls.length]!;

    it('count them together per conversation and minute, separately from messages', async () => {
      const chat = await bots.chat(botId, {}, from(newAddress()));
      for (let left = 4; left >= 0; left--) {
        expect(limitsOf(await nth(left)(chat, newAddress()))).toEqual([5, left]);
      }
      for (const call of calls) assertLimited(await call(chat, newAddress()), 60);
      expect(limitsOf(await say(chat, newAddress()))).toEqual([5, 4]);
    });

    it('count them per address and minute, in any conversation', async () => {
      const address = newAddress();
      const chats = await Promise.all([1, 2, 3].map(() => bots.chat(botId, {}, from(newAddress()))));
      for (let n = 0; n < 8; n++) expect((await nth(n)(chats[n % 3]!, address)).status).not.toBe(429);
      for (const call of calls) assertLimited(await call(chats[2]!, address), 60);
      expect((await nth(0)(chats[0]!, newAddress())).status).not.toBe(429);
    });
  });

  it('treat an IPv6 /64 network as one address', async () => {
    const network = `2001:db8:${addresses++}:${process.pid.toString(16)}`;
    for (let n = 1; n <= 4; n++) expect((await start(`${network}::${n}`)).status).toBe(201);
    assertLimited(await start(`${network}:ffff::9`), 300);
  });
});

describe('event streams', () => {
  it('are limited per address and IPv6 /64, over all conversations, until one is closed', async () => {
    const bots = await shared.beside({ TRUST_PROXY: '127.0.0.1', BOT_MAX_STREAMS_PER_IP: '3' });
    const { publicId } = await bots.bot();
    const open: EventStream[] = [];
    const openFrom = async (address: string): Promise<EventStream> => {
      const stream = await bots.events(await bots.chat(publicId), '', from(address));
      open.push(stream);
      return stream;
    };
    const subscriber = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:f::1'];
    for (const addresses of [Array<string>(3).fill('203.0.113.9'), subscriber]) {
      for (const address of addresses) expect((await openFrom(address)).status).toBe(200);
      const refused = await bots.on(await bots.chat(publicId), '/events', { headers: from(addresses[0]!) });
      expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await openFrom('203.0.113.10')).status).toBe(200);
    open[0]!.close();
    await until('the address can open another stream', async () => (await openFrom('203.0.113.9')).status === 200);
    for (const stream of open) stream.close();
    await bots.service.stop();
  });
});

describe('the rate limits of two processes', () => {
  it('are shared, and ignore X-Forwarded-For without a trusted proxy', async () => {
    const bots = await shared.beside({ BOT_MESSAGES_PER_MINUTE: '4' });
    const beside = await bots.beside();
    const chat = await bots.chat((await bots.bot()).publicId);
    const answers: HttpResponse[] = [];
    for (const process of [bots, beside, bots, beside, bots, beside]) {
      answers.push(await process.say(chat, 'Hi', {}, from(newAddress())));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 429, 429]);
    await beside.service.stop();
    await bots.service.stop();
  });

  it('are by default 30 starts in five minutes, and 60 messages, 60 changes and 600 reads per minute and conversation', async () => {
    const bots = await shared.beside({
      TRUST_PROXY: '1',
      BOT_STARTS_PER_5_MINUTES: '',
      BOT_MESSAGES_PER_MINUTE: '',
      BOT_MESSAGES_PER_MINUTE_PER_IP: '',
      BOT_CHANGES_PER_MINUTE: '',
      BOT_READS_PER_MINUTE: '',
    });
    const { publicId } = await bots.bot();
    const address = newAddress();
    const started = await bots.post('/api/v1/chat/conversations', { botId: publicId }, from(address));
    expect([limitsOf(started), started.headers.get('ratelimit-reset')]).toEqual([[30, 29], '300']);
    const chat = await bots.chat(publicId, {}, from(newAddress()));
    expect(limitsOf(await bots.say(chat, 'Hi', {}, from(address)))).toEqual([60, 59]);
    expect(limitsOf(await bots.postOn(chat, '/end', {}, from(address)))).toEqual([60, 59]);
    expect(limitsOf(await bots.on(chat, '/messages', { headers: from(address) }))).toEqual([600, 599]);
    const others = await Promise.all(Array.from({ length: 4 }, () => bots.chat(publicId, {}, from(newAddress()))));
    for (const other of others) {
      await Promise.all(Array.from({ length: 9 }, () => bots.say(other, 'Hi', {}, from(address))));
    }
    await bots.service.stop();
  });
});
