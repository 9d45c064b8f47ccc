import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  ConflictError,
  ConnectionError,
  createClient,
  email,
  followEvents,
  Heliograph,
  HeliographError,
  InsufficientCreditsError,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  sms,
  TimeoutError,
  type ClientOptions,
} from './index';

interface Call {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (call: Call, response: ServerResponse) => void;

/** A server that records the calls and answers as the test says. */
let server: Server;
let baseUrl: string;
let calls: Call[];
let answers: Answer[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(call, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  calls = [];
  answers = [json(200, {})];
});

function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

const cut: Answer = (_, response) => response.destroy();
const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { code, message: 'Do this.' }, headers);
const client = (options: Partial<ClientOptions> = {}): Heliograph =>
  new Heliograph({ apiKey: 'msg_test_key', baseUrl, ...options });
const NOW = { 'Retry-After': '0' };

describe('a call', () => {
  it('sends the key, the body and a new idempotency key', async () => {
    answers = [json(202, { id: 'm1', status: 'queued' })];
    const sent = await client().sms.messages.send({ to: '+14155550100', message: 'Hello' });
    await client().sms.messages.send({ to: '+14155550100', message: 'Hello' });
    expect(sent).toMatchObject({ id: 'm1', status: 'queued' });
    const [first, second] = calls;
    expect(first).toMatchObject({ method: 'POST', url: '/api/v1/sms/send' });
    expect(JSON.parse(first!.body)).toEqual({ to: '+14155550100', message: 'Hello' });
    expect(first!.headers).toMatchObject({ authorization: 'Bearer msg_test_key', 'content-type': 'application/json' });
    expect(first!.headers['user-agent']).toMatch(/^heliograph-sdk\//);
    expect(first!.headers['idempotency-key']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(second!.headers['idempotency-key']).not.toBe(first!.headers['idempotency-key']);
  });

  it('sends an idempotency key of the caller, and none with calls that have no effect', async () => {
    await client().sms.messages.send({ to: '+14155550100', message: 'Hello' }, { idempotencyKey: 'order-1' });
    await client().sms.messages.quote({ to: '+14155550100', message: 'Hello' });
    expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', undefined]);
  });

  it('encodes ids in the path, and refuses an empty id, which would be another path', async () => {
    await client().sms.messages.get('a/b?c');
    expect(calls[0]!.url).toBe('/api/v1/sms/delivery/a%2Fb%3Fc');
    await expect(client().contacts.erase('')).rejects.toThrow('contacts.erase needs contactId');
    expect(calls).toHaveLength(1);
  });

  it('sends query parameters, and leaves out undefined ones', async () => {
    answers = [json(200, { data: [] })];
    await client().contacts.list({ 'consent[sms]': 'opted_in', search: 'a&b', email: undefined });
    expect(new URL(calls[0]!.url, baseUrl).searchParams.toString()).toBe('search=a%26b&consent%5Bsms%5D=opted_in');
  });

  it('sends the id of calls that take it in the query', async () => {
    await client().sms.messages.cancel('m1');
    expect(calls[0]).toMatchObject({ method: 'POST', url: '/sms/cancel?id=m1', body: '' });
  });

  it('acts in the workspace of the client or of the call', async () => {
    const inOne = client({ workspace: 'w1' });
    answers = [json(200, { data: [], ok: true })];
    await inOne.sms.messages.send({ to: '+14155550100', message: 'Hello' });
    await inOne.sms.messages.send({ to: '+14155550100', message: 'Hello' }, { workspace: 'w2' });
    await inOne.sms.messages.list();
    expect(calls.slice(0, 2).map(({ body }) => (JSON.parse(body) as { workspace_id: string }).workspace_id)).toEqual([
      'w1',
      'w2',
    ]);
    expect(calls[2]!.url).toBe('/api/v1/sms/messages?workspace_id=w1');
    answers = [json(200, { ok: true, data: { bot: { id: 'bot_1' } } })];
    expect(await inOne.bots.get('bot_1')).toEqual({ id: 'bot_1' });
    expect(calls[3]!.url).toBe('/api/workspaces/w1/bots/bot_1');
  });

  it('uses the only workspace if a call needs one, and asks for the option if there are several', async () => {
    const both = json(200, { ok: true, data: { workspaces: [{ id: 'w1' }, { id: 'w2' }] } });
    const one = json(200, { ok: true, data: { workspaces: [{ id: 'w1' }] } });
    const bot = json(200, { ok: true, data: { bot: {} } });
    const undecided = client();
    answers = [both, one, bot, bot];
    await expect(undecided.bots.get('bot_1')).rejects.toThrow('Set the option workspace');
    await undecided.bots.get('bot_1');
    await undecided.bots.get('bot_2');
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/workspaces?limit=2',
      '/api/workspaces?limit=2',
      '/api/workspaces/w1/bots/bot_1',
      '/api/workspaces/w1/bots/bot_2',
    ]);
  });

  it('resolves without a value when there is none', async () => {
    answers = [(_, response) => response.writeHead(204).end()];
    await expect(client().webhooks.delete('w')).resolves.toBeUndefined();
  });
});

describe('retries', () => {
  it('repeat a send after a lost response and a 503 with the same idempotency key', async () => {
    answers = [cut, problem(503, 'SERVICE_UNAVAILABLE', NOW), json(202, { id: 'm1' })];
    await client().sms.messages.send({ to: '+14155550100', message: 'Hello' });
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('wait as long as Retry-After says', async () => {
    answers = [problem(429, 'RATE_LIMITED', { 'Retry-After': '0.2' }), json(200, {})];
    const startedAt = Date.now();
    await client().me();
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(195);
  });

  it('end at once if Retry-After is longer than the limit', async () => {
    answers = [problem(429, 'RATE_LIMITED', { 'Retry-After': '3600' })];
    const failure = await client()
      .me()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ retryAfterMs: 3_600_000, code: 'RATE_LIMITED', status: 429 });
    expect(calls).toHaveLength(1);
  });

  it('end after the number of the option', async () => {
    answers = [problem(500, 'INTERNAL_ERROR', NOW)];
    await expect(client({ maxRetries: 3 }).me()).rejects.toBeInstanceOf(ServerError);
    expect(calls).toHaveLength(4);
    await expect(client().me({ maxRetries: 0 })).rejects.toBeInstanceOf(ServerError);
    expect(calls).toHaveLength(5);
  });

  it('repeat a call without an idempotency key only if it was not made', async () => {
    answers = [problem(429, 'RATE_LIMITED', NOW), cut];
    await expect(client().sms.messages.cancel('m1')).rejects.toBeInstanceOf(ConnectionError);
    expect(calls).toHaveLength(2);
  });

  it('repeat a 409 only while the first call is running', async () => {
    answers = [problem(409, 'IDEMPOTENCY_IN_PROGRESS', NOW), problem(409, 'IDEMPOTENCY_KEY_REUSED')];
    await expect(client().sms.messages.send({ to: '1', message: 'a' })).rejects.toBeInstanceOf(ConflictError);
    expect(calls).toHaveLength(2);
  });

  it('end when the call is aborted', async () => {
    answers = [problem(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '30' })];
    const abort = new AbortController();
    const running = client().me({ signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
  });

  it('report a time-out as its own error', async () => {
    answers = [() => undefined];
    await expect(client().me({ timeoutMs: 50, maxRetries: 0 })).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe('errors', () => {
  it('have status, code, request id, fields and a link to the explanation', async () => {
    const fields = [{ field: 'to', message: 'to is not a phone number.' }];
    answers = [json(400, { code: 'INVALID_REQUEST', message: 'to is not a phone number.', fields })];
    const failure = await client()
      .sms.messages.quote({ to: 'x' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      requestId: 'request-1',
      link: `${baseUrl}/docs/guides/errors#invalid-request`,
      fields,
    });
    expect((failure as Error).message).toContain(
      'to is not a phone number. (INVALID_REQUEST, status 400, request request-1)',
    );
  });

  it('have the link of the response if it has one', async () => {
    answers = [problem(402, 'INSUFFICIENT_CREDITS', { Link: '</docs/guides/errors#x>; rel="help"' })];
    const failure = await client()
      .me()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InsufficientCreditsError);
    expect(failure).toMatchObject({ link: `${baseUrl}/docs/guides/errors#x` });
  });

  it('are read from the format of the account API', async () => {
    answers = [json(404, { ok: false, error: { code: 'NOT_FOUND', message: 'Nothing.' } })];
    await expect(client().workspaces.get('x')).rejects.toMatchObject({ code: 'NOT_FOUND', name: 'NotFoundError' });
  });

  it('of a proxy have an excerpt of its page', async () => {
    answers = [
      (_, response) => response.writeHead(502, { 'Retry-After': '0' }).end('<html><h1>Bad gateway</h1></html>'),
    ];
    await expect(client().me()).rejects.toMatchObject({
      code: 'HTTP_502',
      message: expect.stringContaining('Bad gateway') as string,
    });
  });
});

describe('lists', () => {
  const page = (ids: number[], next?: string): Answer =>
    json(200, { data: ids.map((id) => ({ id })), ...(next === undefined ? {} : { next_cursor: next }) });

  it('give a page, the next one, and all entries', async () => {
    answers = [page([1, 2], 'c1'), page([3]), page([1, 2], 'c1'), page([3])];
    const first = await client().sms.messages.list({ status: 'sent', limit: 2 });
    const second = await first.next();
    expect([first.data, first.hasMore, second?.data, second?.hasMore, await second?.next()]).toEqual([
      [{ id: 1 }, { id: 2 }],
      true,
      [{ id: 3 }],
      false,
      null,
    ]);
    const all: unknown[] = [];
    for await (const { id } of client().sms.messages.list({ status: 'sent', limit: 2 })) all.push(id);
    expect(all).toEqual([1, 2, 3]);
    expect(calls[3]!.url).toBe('/api/v1/sms/messages?limit=2&cursor=c1&status=sent');
  });

  it('make no call before they are used, and no call after the last entry that is needed', async () => {
    answers = [page([1, 2], 'c1')];
    const list = client().sms.messages.list();
    expect(calls).toHaveLength(0);
    for await (const { id } of list) if (String(id) === '1') break;
    expect(calls).toHaveLength(1);
  });

  it('of events are followed until the signal', async () => {
    const feed = (ids: number[], next: string, hasMore: boolean): Answer =>
      json(200, { data: ids.map((id) => ({ id, type: 'sms.sent' })), next_cursor: next, has_more: hasMore });
    answers = [feed([1], 'c1', true), feed([], 'c2', false), feed([2], 'c3', false)];
    const abort = new AbortController();
    const cursors: string[] = [];
    const seen: unknown[] = [];
    const options = {
      pollMs: 1,
      signal: abort.signal,
      types: ['sms.*'],
      onCursor: (one: string) => void cursors.push(one),
    };
    for await (const event of followEvents(client(), options)) {
      seen.push(event.id);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(cursors).toEqual(['c1', 'c2']);
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/v1/events?limit=100&types=sms.*',
      '/api/v1/events?limit=100&after=c1&types=sms.*',
      '/api/v1/events?limit=100&after=c2&types=sms.*',
    ]);
  });
});

describe('files', () => {
  it('are uploaded as a form, from a text, bytes, a blob or a stream', async () => {
    answers = [json(202, { id: 'i1' })];
    const named = { content: 'email\nann@elsewhere.example\n', name: 'a"b.csv', type: 'text/csv' };
    await client().contacts.imports.create({ file: named, options: { group_ids: ['g1'] } as never });
    await client().contacts.imports.create({ file: new TextEncoder().encode('email\n') });
    await client().contacts.imports.create({ file: new Blob(['email\n'], { type: 'text/csv' }) });
    const stream = new Blob(['email\nbob@elsewhere.example\n']).stream();
    await client().contacts.imports.create({ file: { content: stream, name: 'c.csv', type: 'text/csv' } });
    for (const { headers } of calls) expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(calls[0]!.body).toContain(
      'filename="a%22b.csv"\r\nContent-Type: text/csv\r\n\r\nemail\nann@elsewhere.example\n',
    );
    expect(calls[0]!.body).toContain('name="options"\r\n\r\n{"group_ids":["g1"]}');
    expect(calls[3]!.body).toContain(
      'filename="c.csv"\r\nContent-Type: text/csv\r\n\r\nemail\nbob@elsewhere.example\n\r\n--',
    );
  });

  it('of a stream are sent once', async () => {
    answers = [problem(503, 'SERVICE_UNAVAILABLE', NOW)];
    await expect(client().contacts.imports.create({ file: new Blob(['x']).stream() })).rejects.toBeInstanceOf(
      ServerError,
    );
    expect(calls).toHaveLength(1);
  });

  it('are downloaded as streams, and by the URL of a record without the key', async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="a.csv"' });
        response.end('a,b\n');
      },
    ];
    const file = await client({ workspace: 'w1' }).inbox.submissions.export();
    expect([file.type, file.name, await file.text()]).toEqual(['text/csv', 'a.csv', 'a,b\n']);
    const other = await client().download('/api/v1/reports/r1/file?signature=s');
    expect(await new Response(other.stream).text()).toBe('a,b\n');
    expect(calls[1]!.headers.authorization).toBeUndefined();
  });
});

describe('server-sent events', () => {
  it('are read one by one', async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': ping\n\nevent: message\nid: 1\nda');
        response.end('ta: {"a":1}\n\nevent: conversation\ndata: {"b":2}\n\n');
      },
    ];
    const seen: unknown[] = [];
    for await (const event of client().chat.conversations.events('c', {}, { conversationToken: 't' })) seen.push(event);
    expect(seen).toEqual([
      { event: 'message', id: '1', data: { a: 1 } },
      { event: 'conversation', id: null, data: { b: 2 } },
    ]);
    expect(calls[0]!.headers.authorization).toBe('Bearer t');
  });

  it('need the token of the conversation, not the API key', async () => {
    await expect(client().chat.conversations.get('c')).rejects.toThrow('conversationToken');
  });
});

describe('the options', () => {
  it('refuse a live key in test mode and a test key in live mode, before a call', () => {
    expect(() => client({ apiKey: 'msg_live_key', testMode: true })).toThrow(HeliographError);
    expect(() => client({ apiKey: 'msg_test_key', testMode: false })).toThrow('is a test key');
    expect(() => client({ apiKey: 'msg_test_key', testMode: true })).not.toThrow();
    expect(() => client({ apiKey: 'msg_live_key' })).not.toThrow();
  });

  it('refuse an address without a scheme and a damaged key', () => {
    expect(() => client({ baseUrl: 'messages.example.com' })).toThrow('baseUrl must start with https://');
    expect(() => client({ apiKey: 'msg_live_key\n' })).toThrow('Copy the key again');
  });

  it('choose the groups of a client', async () => {
    const small = createClient({ apiKey: 'msg_test_key', baseUrl }, { sms, email });
    await small.email.messages.get('m1');
    expect(calls[0]!.url).toBe('/api/v1/email/messages/m1');
    expect(Object.keys(small)).not.toContain('bots');
  });
});
