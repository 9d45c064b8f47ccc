import { until } from '@heliograph/testing';
import { StackProcess } from './stack-process.fixture';

const KEY = 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001';
const BOT = 'bot_acme_help';

type Json = Record<string, unknown>;

describe('the bots in the local stack', () => {
  let stack: StackProcess;
  let output: string;
  beforeAll(async () => {
    stack = await StackProcess.prepare();
    ({ output } = await stack.start());
  }, 90_000);
  afterAll(() => stack.remove());

  async function call(method: string, route: string, token: string | null, body?: object): Promise<[number, Json]> {
    const response = await fetch(`http://localhost:${stack.port}${route}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return [response.status, (await response.json()) as Json];
  }

  it('are embedded in the demo page with a strict policy, and available on the hosted page', async () => {
    const [page] = /http:\S+(?= {3}a site that embeds the bot)/.exec(output) ?? [];
    const response = await fetch(page!);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain(`data-bot-id="${BOT}"`);
    const [, script] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect((await fetch(script!)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(new URL('/site.css', page))).status).toBe(200);
    expect((await fetch(`${page}/`)).status).toBe(200);
    expect((await fetch(new URL('/other', page))).status).toBe(404);
    const [hosted] = /http:\S+\/c\/\S+/.exec(output) ?? [];
    expect(await (await fetch(hosted!)).text()).toContain('Acme Help');
  });

  it('reply to visitors, but not while an agent replies', async () => {
    const [, workspaces] = await call('GET', '/api/workspaces', KEY);
    const [{ id: workspace }] = (workspaces['data'] as { workspaces: [{ id: string }] }).workspaces;
    const [status, started] = await call('POST', '/api/v1/chat/conversations', null, {
      botId: BOT,
      message: 'What are your opening hours?',
    });
    expect([status, started['reply']]).toMatchObject([201, { content: '9 to 5, Monday to Friday' }]);
    const token = started['conversationToken'] as string;
    const { id } = started['conversation'] as { id: string };
    const chat = `/api/v1/chat/conversations/${id}`;

    const abort = new AbortController();
    const events = await fetch(`http://localhost:${stack.port}${chat}/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    let heard = '';
    const reading = (async () => {
      for await (const chunk of events.body!) heard += Buffer.from(chunk).toString();
    })().catch(() => undefined);

    const inbox = `/api/workspaces/${workspace}/conversations/${id}`;
    expect(await call('PATCH', inbox, KEY, { takenOver: true })).toMatchObject([200, { ok: true }]);
    expect(await call('POST', `${chat}/messages`, token, { message: 'When are you open?' })).toMatchObject([
      201,
      { reply: null, paused: true },
    ]);
    await call('POST', `${inbox}/messages`, KEY, { message: 'This is Ann. We are open until five.' });
    await until('the message of the agent has arrived', () => heard.includes('This is Ann.'));
    await call('PATCH', inbox, KEY, { takenOver: false });
    expect(await call('POST', `${chat}/messages`, token, { message: 'When are you open?' })).toMatchObject([
      201,
      { paused: false, reply: { content: '9 to 5, Monday to Friday' } },
    ]);
    abort.abort();
    await reading;
  });

  it('return an error in the format of the runtime if they do not exist', async () => {
    expect(await call('GET', '/bots/widget/config?botId=nobody', null)).toEqual([
      404,
      { ok: false, code: 'BOT_UNAVAILABLE' },
    ]);
    expect(await call('GET', '/api/v1/chat/nothing', null)).toMatchObject([404, { ok: false, code: 'NOT_FOUND' }]);
  });
});
